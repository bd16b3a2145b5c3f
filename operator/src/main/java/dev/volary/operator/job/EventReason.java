// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.job;

/** What the operator tells as an event; one kind for each decision. The operations page is made from these too. */
public enum EventReason {
    Accepted(false, "Reconcile", "The operator has taken the job up.", ""),
    InvalidSpec(
            true,
            "Validate",
            "The API server took the manifest, but a deeper check refuses it; a job that waits goes on waiting, one that"
                    + " runs goes on as it was.",
            "Correct the field that the note names and apply again; immutable ones need a new job."),
    Forming(false, "Start", "Workers are started.", ""),
    Running(false, "Observe", "All blocks iterate.", ""),
    Succeeded(
            false,
            "Finish",
            "The job has ended with a certified residual; the note says it.",
            "Bring the result home with volary fetch JOB, before spec.ttlSecondsAfterFinished is over."),
    Failed(
            true,
            "Finish",
            "The job has ended without an answer; the note says why.",
            "See the reason of the condition Failed."),
    Suspending(false, "Suspend", "The snapshot is taken, and the pods go.", ""),
    Suspended(false, "Suspend", "No pod is left.", "Set spec.suspend: false to go on."),
    Resumed(false, "Resume", "The job starts again from its snapshot.", ""),
    WorkerLost(
            true,
            "Replace",
            "The platform has taken a worker (eviction, lost node, kill); it is replaced, and uses up no retry.",
            "Nothing, unless it happens so often that the job does not advance."),
    WorkerFailed(
            true,
            "Replace",
            "A worker has failed by itself; it is replaced or started again, and uses up one retry.",
            "Read its log: kubectl logs POD --previous."),
    WorkerLeft(false, "Replace", "Somebody deleted a worker's pod; it is replaced, and uses up no retry.", ""),
    ScaledDown(false, "Scale", "There are more workers than wanted; the surplus is deleted.", ""),
    PodRefused(
            true,
            "Create",
            "The API server refuses a worker's pod; the note is its own. It is tried again every 10 seconds.",
            "See the reason of the condition Ready or Degraded."),
    NameTaken(
            true,
            "Create",
            "An object of another owner has a name that the job needs; the note says which. The job waits, and the operator"
                    + " tries again every 30 seconds at least.",
            "Delete or rename it, or wait until garbage collection has removed the objects of an earlier job of this name."),
    ReconcileFailed(
            true,
            "Reconcile",
            "The operator's pass over the job failed, or it cannot ask the spawners; the note says why. It tries again by"
                    + " itself, and tells no further event until it has succeeded once.",
            "See the condition Reconciled."),
    WorkerBlocked(
            true,
            "Create",
            "A worker's pod is there, but cannot start: no image, no node that takes it, or a wrong template.",
            "See the reason of the condition Ready or Degraded."),
    CheckpointTaken(false, "Checkpoint", "A snapshot that was asked for is taken; the note says its residual.", ""),
    CheckpointRefused(
            true, "Checkpoint", "A snapshot that was asked for is not taken; the note says why.", "Follow the note."),
    ResultLost(
            true,
            "Observe",
            "The job has succeeded, and no spawner that holds its result is left; it was not fetched.",
            "Delete the job and apply it again."),
    Expired(false, "Delete", "The job has been over for spec.ttlSecondsAfterFinished, and is deleted.", "");

    private final boolean warning;
    private final String action;
    private final String meaning;
    private final String remedy;

    EventReason(boolean warning, String action, String meaning, String remedy) {
        this.warning = warning;
        this.action = action;
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** The event's type: {@code Warning} or {@code Normal}. */
    public String type() {
        return warning ? "Warning" : "Normal";
    }

    /** What the operator was doing. */
    public String action() {
        return action;
    }

    /** What it means, in a sentence. */
    public String meaning() {
        return meaning;
    }

    /** What to do; empty if there is nothing to do. */
    public String remedy() {
        return remedy;
    }
}
