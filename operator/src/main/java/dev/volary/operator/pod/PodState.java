package dev.volary.operator.pod;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How it stands with a worker pod. */
public enum PodState {
    /** Accepted, not yet started. */
    PENDING(Place.HELD, null),
    /** No node takes it. */
    UNSCHEDULABLE(Place.HELD, null),
    /** Its container cannot be started as it is described: image, configuration, volume. */
    BLOCKED(Place.HELD, null),
    /** Its container runs, and is not ready yet. */
    STARTING(Place.HELD, null),
    /** Ready. */
    RUNNING(Place.HELD, null),
    /** The kubelet is about to start its container again. */
    RESTARTING(Place.HELD, null),
    /** Somebody deleted it. */
    LEAVING(Place.LEAVING, Cause.VOLUNTARY),
    /** The platform is about to take it. */
    RECLAIMED(Place.LEAVING, Cause.DISRUPTION),
    /** Its node is silent, and so is it; it may come back, fenced. */
    UNREACHABLE(Place.LEAVING, Cause.DISRUPTION),
    /** The platform has taken it. */
    TAKEN(Place.LOST, Cause.DISRUPTION),
    /** It ended itself, for good. */
    FAILED(Place.LOST, Cause.FAILURE),
    /** It ended without an error, which workers do only when they are told to. */
    ENDED(Place.LOST, Cause.VOLUNTARY);

    /** Whether a pod holds its place in the crew. */
    public enum Place {
        /** It counts. */
        HELD,
        /** Its replacement is due; the process may still live. */
        LEAVING,
        /** Its replacement is due; the process is dead. */
        LOST
    }

    private final Place place;
    private final Optional<Cause> cause;

    PodState(Place place, @Nullable Cause cause) {
        this.place = place;
        this.cause = Optional.ofNullable(cause);
    }

    /** Whether it counts among the crew. */
    public Place place() {
        return place;
    }

    /** Why its place is free, if it is. */
    public Optional<Cause> cause() {
        return cause;
    }

    /** Whether the loss uses up one of {@code spec.failurePolicy.maxRetries}. */
    public boolean usesRetryBudget() {
        return cause.filter(why -> why == Cause.FAILURE).isPresent();
    }
}
