package dev.volary.operator.job;

/** What the operator tells as an event; one kind for each decision. */
public enum Happening {
    Accepted(false, "Reconcile"),
    InvalidSpec(true, "Validate"),
    Forming(false, "Start"),
    Running(false, "Observe"),
    Succeeded(false, "Finish"),
    Failed(true, "Finish"),
    Suspending(false, "Suspend"),
    Suspended(false, "Suspend"),
    Resumed(false, "Resume"),
    WorkerLost(true, "Replace"),
    WorkerFailed(true, "Replace"),
    WorkerLeft(false, "Replace"),
    ScaledDown(false, "Scale"),
    PodRefused(true, "Create"),
    WorkerBlocked(true, "Create"),
    CheckpointTaken(false, "Checkpoint"),
    CheckpointRefused(true, "Checkpoint"),
    Expired(false, "Delete");

    private final boolean warning;
    private final String action;

    Happening(boolean warning, String action) {
        this.warning = warning;
        this.action = action;
    }

    /** The event's type: {@code Warning} or {@code Normal}. */
    public String type() {
        return warning ? "Warning" : "Normal";
    }

    /** What the operator was doing. */
    public String action() {
        return action;
    }
}
