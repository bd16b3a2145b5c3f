// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import java.util.Set;

/**
 * How a container ended.
 *
 * @param code exit code; 128 + n for signal n
 * @param reason reason given by the kubelet, for example {@code OOMKilled}; may be empty
 * @param message last line that the worker printed; may be empty
 */
public record ContainerExit(int code, String reason, String message) {
    private static final int MAX_MESSAGE = 400;

    /** The worker was evicted from the job; it restarts with a new identity. */
    public static final int EVICTED = 75;

    /** The JVM ended itself because its heap was full. */
    private static final int HEAP_FULL = 3;

    /** Reasons for a container that its runtime has lost, usually because the machine rebooted. */
    private static final Set<String> MACHINE_LOST = Set.of("Unknown", "ContainerStatusUnknown");

    private static final int KILLED = 128 + 9;
    private static final int TERMINATED = 128 + 15;

    /** Shortens the message to fit into an event. */
    public ContainerExit {
        String last = message.strip().lines().reduce("", (before, line) -> line);
        message = last.length() <= MAX_MESSAGE ? last : last.substring(0, MAX_MESSAGE) + "…";
    }

    /** Whether the program failed by itself: with an error, or out of memory. */
    public boolean isFailure() {
        return switch (code) {
            case 0, EVICTED -> false;
            case KILLED, TERMINATED -> isOutOfMemory();
            default -> !MACHINE_LOST.contains(reason);
        };
    }

    /** Whether it ran out of memory: it exceeded the limit of the container, or its heap was full. */
    public boolean isOutOfMemory() {
        return code == HEAP_FULL || reason.equals("OOMKilled");
    }

    /** The exit as text, for an event. */
    @Override
    public String toString() {
        return "exit code " + code
                + (isOutOfMemory()
                        ? " (out of memory; raise the memory limit in its pod template)"
                        : reason.isEmpty() ? "" : " (" + reason + ")")
                + (isFailure() && !message.isEmpty() ? ", last output \"" + message + "\"," : "");
    }
}
