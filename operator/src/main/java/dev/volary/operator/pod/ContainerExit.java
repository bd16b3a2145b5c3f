// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import java.util.Set;

/**
 * How a container ended.
 *
 * @param code exit code; 128 + n for signal n
 * @param reason the kubelet's word, as {@code OOMKilled}; may be empty
 * @param lastWords what the worker said last, of several lines the last; may be empty
 */
public record ContainerExit(int code, String reason, String lastWords) {
    private static final int MOST_WORDS = 400;

    /** A worker that was replaced while it was away: it starts anew under another identity. */
    public static final int FENCED = 75;

    /** The JVM ended itself because its heap was full. */
    private static final int HEAP_FULL = 3;

    /** The kubelet's words for a container that its runtime has lost: the machine was switched off and on again under it. */
    private static final Set<String> MACHINE_LOST = Set.of("Unknown", "ContainerStatusUnknown");

    private static final int KILLED = 128 + 9;
    private static final int TERMINATED = 128 + 15;

    /** Of its last words only as much as an event has room for. */
    public ContainerExit {
        String last = lastWords.strip().lines().reduce("", (before, line) -> line);
        lastWords = last.length() <= MOST_WORDS ? last : last.substring(0, MOST_WORDS) + "…";
    }

    /** Whether the program did this to itself: it ran into an error, or outgrew its memory. */
    public boolean isFailure() {
        return switch (code) {
            case 0, FENCED -> false;
            case KILLED, TERMINATED -> isOutOfMemory();
            default -> !MACHINE_LOST.contains(reason);
        };
    }

    /** Whether it had too little memory: the container's limit ended it, or its own heap was full. */
    public boolean isOutOfMemory() {
        return code == HEAP_FULL || reason.equals("OOMKilled");
    }

    /** In words, for an event. */
    @Override
    public String toString() {
        return "exit code " + code
                + (isOutOfMemory()
                        ? " (out of memory; raise the limit in its pod template)"
                        : reason.isEmpty() ? "" : " (" + reason + ")")
                + (isFailure() && !lastWords.isEmpty() ? ", said \"" + lastWords + "\"," : "");
    }
}
