package dev.volary.crd;

/**
 * How often to try again.
 *
 * @param maxRetries failures, disruptions not counted, after which the job fails; six if not given
 * @param blockAttempts failures of one block without progress after which the job fails; three if not given
 */
public record FailurePolicySpec(int maxRetries, int blockAttempts) {
    static FailurePolicySpec read(Fields in) {
        return new FailurePolicySpec(
                in.integer("maxRetries", 0, 1_000_000).orElse(6),
                in.integer("blockAttempts", 1, 1_000_000).orElse(3));
    }
}
