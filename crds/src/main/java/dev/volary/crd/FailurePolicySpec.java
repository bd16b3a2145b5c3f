package dev.volary.crd;

/**
 * How often to try again.
 *
 * @param maxRetries failures, disruptions not counted, after which the job fails; six if not given
 * @param blockAttempts failures of one block without progress after which the job fails; three if not given
 */
public record FailurePolicySpec(int maxRetries, int blockAttempts) {
    /** What a manifest without this field means. */
    public static final FailurePolicySpec STANDARD = new FailurePolicySpec(6, 3);

    static FailurePolicySpec read(Fields in) {
        return new FailurePolicySpec(
                in.integer("maxRetries", 0, 1_000_000).orElse(STANDARD.maxRetries),
                in.integer("blockAttempts", 1, 1_000_000).orElse(STANDARD.blockAttempts));
    }
}
