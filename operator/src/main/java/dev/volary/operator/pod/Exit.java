package dev.volary.operator.pod;

/**
 * How a container ended.
 *
 * @param code exit code; 128 + n for signal n
 * @param reason the kubelet's word, as {@code OOMKilled}; may be empty
 */
public record Exit(int code, String reason) {
    /** A worker that was replaced while it was away: it starts anew under another identity. */
    public static final int FENCED = 3;

    private static final int KILLED = 128 + 9;
    private static final int TERMINATED = 128 + 15;

    /** Whether the program did this to itself: it ran into an error, or outgrew its memory. */
    public boolean isFailure() {
        return switch (code) {
            case 0, FENCED -> false;
            case KILLED, TERMINATED -> isOutOfMemory();
            default -> true;
        };
    }

    /** Whether the container's memory limit ended it. */
    public boolean isOutOfMemory() {
        return reason.equals("OOMKilled");
    }
}
