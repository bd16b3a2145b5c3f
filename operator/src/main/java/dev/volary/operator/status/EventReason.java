// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.status;

/** Reasons of the events that the operator publishes. The page docs/reference/conditions.md is generated from these texts. */
public enum EventReason {
    Accepted(false, "Reconcile", "The operator accepted the job.", ""),
    InvalidSpec(
            true,
            "Validate",
            "The API server accepted the manifest, but a further check rejects it. A pending job does not start; an active"
                    + " job continues unchanged.",
            "Correct the field that the note names and apply the manifest again; immutable fields need a new job."),
    ClaimOnOneNode(
            true,
            "Validate",
            "Several workers write a claim that pods on one node only can mount for writing; workers on other nodes do not start.",
            "Use a claim that allows ReadWriteMany, or an object store; or let the pod templates select one node."),
    Forming(false, "Start", "The operator starts the workers.", ""),
    Running(false, "Observe", "All blocks iterate.", ""),
    Succeeded(
            false,
            "Finish",
            "The job has ended with a certified residual, which the note contains.",
            "Download the result with volary fetch JOB before spec.ttlSecondsAfterFinished expires."),
    Failed(
            true,
            "Finish",
            "The job has ended without a certified result; the note names the reason.",
            "See the reason of the condition Failed."),
    Suspending(false, "Suspend", "The snapshot is complete; the operator deletes the pods.", ""),
    Suspended(false, "Suspend", "All pods are deleted.", "Set spec.suspend: false to resume the job."),
    Resumed(false, "Resume", "The job starts again from its snapshot.", ""),
    WorkerLost(
            true,
            "Replace",
            "The platform ended a worker (eviction, lost node, kill). The operator replaces it; this does not count as a retry.",
            "Nothing, unless it happens so often that the job makes no progress."),
    WorkerFailed(
            true,
            "Replace",
            "A worker failed by itself. It is replaced or restarted; this counts as a retry.",
            "Read its log: kubectl logs POD --previous."),
    WorkerLeft(
            false,
            "Replace",
            "A worker pod was deleted. The operator replaces it; this does not count as a retry.",
            ""),
    ScaledDown(false, "Scale", "There are more workers than requested; the operator deletes the surplus.", ""),
    PodRefused(
            true,
            "Create",
            "The API server rejects a worker pod; the note is its message. The operator retries every 10 seconds.",
            "See the reason of the condition Ready or Degraded."),
    NameTaken(
            true,
            "Create",
            "An object of another owner has a name that the job needs; the note names it. The job waits, and the operator"
                    + " retries at least every 30 seconds.",
            "Delete or rename it, or wait until garbage collection has removed the objects of an earlier job of this name."),
    ReconcileFailed(
            true,
            "Reconcile",
            "A reconciliation of the job failed, or the operator cannot poll the spawners; the note names the cause. The"
                    + " operator retries by itself, and publishes no further event until it has succeeded once.",
            "See the condition Reconciled."),
    WorkerBlocked(
            true,
            "Create",
            "A worker pod exists but cannot start: no image, no node that fits, or an error in the template.",
            "See the reason of the condition Ready or Degraded."),
    CheckpointTaken(false, "Checkpoint", "A requested snapshot is complete; the note contains its residual.", ""),
    CheckpointRefused(
            true, "Checkpoint", "A requested snapshot was not taken; the note names the reason.", "Follow the note."),
    PublicationFailed(
            true,
            "Observe",
            "The result is complete, but could not be written to the storage that spec.result names; the leader tries again.",
            "The message names the cause; remove it."),
    ResultExpires(
            true,
            "Observe",
            "No client has fetched the result, and spec.ttlSecondsAfterFinished deletes it soon; the message says when.",
            "Download it with volary fetch JOB."),
    ResultLost(
            true,
            "Observe",
            "The job has succeeded, but no spawner that holds its result is left, and no client has fetched it.",
            "Delete the job and apply it again."),
    Expired(false, "Delete", "The job ended more than spec.ttlSecondsAfterFinished ago; the operator deletes it.", "");

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

    /** The type of the event: {@code Warning} or {@code Normal}. */
    public String type() {
        return warning ? "Warning" : "Normal";
    }

    /** What the operator was doing. */
    public String action() {
        return action;
    }

    /** The meaning, in a sentence. */
    public String meaning() {
        return meaning;
    }

    /** What to do; empty for nothing. */
    public String remedy() {
        return remedy;
    }
}
