// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** State of a worker pod. */
public enum PodState {
    /** Accepted, not started yet. */
    PENDING(Presence.COUNTED, null),
    /** No node fits it. */
    UNSCHEDULABLE(Presence.COUNTED, null),
    /** Its container cannot be started because of its image, configuration or volumes. */
    BLOCKED(Presence.COUNTED, null),
    /** Its container runs, but is not ready yet. */
    STARTING(Presence.COUNTED, null),
    /** Ready. */
    RUNNING(Presence.COUNTED, null),
    /** The kubelet is about to start its container again. */
    RESTARTING(Presence.COUNTED, null),
    /** It was deleted. */
    LEAVING(Presence.LEAVING, LossCause.VOLUNTARY),
    /** The platform is about to end it. */
    RECLAIMED(Presence.LEAVING, LossCause.DISRUPTION),
    /** Neither its node nor the worker reports; it may come back with a stale incarnation. */
    UNREACHABLE(Presence.LEAVING, LossCause.DISRUPTION),
    /** The platform ended it. */
    TAKEN(Presence.LOST, LossCause.DISRUPTION),
    /** The worker failed and is not restarted. */
    FAILED(Presence.LOST, LossCause.FAILURE),
    /** The worker ended without an error, which it does only on request. */
    ENDED(Presence.LOST, LossCause.VOLUNTARY);

    /** Whether a pod counts toward the requested number of workers. */
    public enum Presence {
        /** It counts. */
        COUNTED,
        /** It must be replaced; its process may still run. */
        LEAVING,
        /** It must be replaced; its process has ended. */
        LOST
    }

    private final Presence presence;
    private final Optional<LossCause> cause;

    PodState(Presence presence, @Nullable LossCause cause) {
        this.presence = presence;
        this.cause = Optional.ofNullable(cause);
    }

    /** Whether it counts toward the requested number of workers. */
    public Presence presence() {
        return presence;
    }

    /** Why it must be replaced; empty if it counts. */
    public Optional<LossCause> cause() {
        return cause;
    }

    /** Whether the loss uses up one of {@code spec.failurePolicy.maxRetries}. */
    public boolean usesRetryBudget() {
        return cause.filter(loss -> loss == LossCause.FAILURE).isPresent();
    }
}
