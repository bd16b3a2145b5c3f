// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How it stands with a worker pod. */
public enum PodState {
    /** Accepted, not yet started. */
    PENDING(Presence.HELD, null),
    /** No node takes it. */
    UNSCHEDULABLE(Presence.HELD, null),
    /** Its container cannot be started as it is described: image, configuration, volume. */
    BLOCKED(Presence.HELD, null),
    /** Its container runs, and is not ready yet. */
    STARTING(Presence.HELD, null),
    /** Ready. */
    RUNNING(Presence.HELD, null),
    /** The kubelet is about to start its container again. */
    RESTARTING(Presence.HELD, null),
    /** Somebody deleted it. */
    LEAVING(Presence.LEAVING, LossCause.VOLUNTARY),
    /** The platform is about to take it. */
    RECLAIMED(Presence.LEAVING, LossCause.DISRUPTION),
    /** Its node is silent, and so is it; it may come back, fenced. */
    UNREACHABLE(Presence.LEAVING, LossCause.DISRUPTION),
    /** The platform has taken it. */
    TAKEN(Presence.LOST, LossCause.DISRUPTION),
    /** It ended itself, for good. */
    FAILED(Presence.LOST, LossCause.FAILURE),
    /** It ended without an error, which workers do only when they are told to. */
    ENDED(Presence.LOST, LossCause.VOLUNTARY);

    /** Whether a pod holds its place in the crew. */
    public enum Presence {
        /** It counts. */
        HELD,
        /** Its replacement is due; the process may still live. */
        LEAVING,
        /** Its replacement is due; the process is dead. */
        LOST
    }

    private final Presence place;
    private final Optional<LossCause> cause;

    PodState(Presence place, @Nullable LossCause cause) {
        this.place = place;
        this.cause = Optional.ofNullable(cause);
    }

    /** Whether it counts among the crew. */
    public Presence place() {
        return place;
    }

    /** Why its place is free, if it is. */
    public Optional<LossCause> cause() {
        return cause;
    }

    /** Whether the loss uses up one of {@code spec.failurePolicy.maxRetries}. */
    public boolean usesRetryBudget() {
        return cause.filter(why -> why == LossCause.FAILURE).isPresent();
    }
}
