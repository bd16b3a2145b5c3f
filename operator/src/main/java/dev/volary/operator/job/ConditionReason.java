// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.job;

/** Why a condition holds or does not. The operations page is made from these. */
public enum ConditionReason {
    EnoughDaemons("At least spec.daemons.min daemons compute.", ""),
    TooFewDaemons(
            "Fewer daemons than spec.daemons.min compute; those that live go on.",
            "Look at the pods: kubectl get pods -l volary.dev/job=JOB; the Degraded condition names what is in the way."),
    Forming("Workers start, find each other and are given their blocks.", "Wait; the events say what happens."),
    Finished("The job is over.", ""),
    InvalidSpec(
            "The API server took the manifest, but a deeper check refuses it; the message names field, value and remedy.",
            "Correct the field and apply again; immutable ones need a new job."),
    Complete("All workers and all copies that were asked for are there.", ""),
    FewerDaemons("A lost daemon is not yet replaced.", "Wait for its replacement, or ask for standbys."),
    FewerSpawners("A lost spawner is not yet replaced.", "Wait for its replacement."),
    FewerCopies(
            "Fewer copies of the blocks' states than spec.checkpoint.copies can be held.",
            "Wait until replacements have joined; with fewer workers than copies, add workers."),
    BlocksParked(
            "Blocks wait because no daemon has memory left for them.",
            "Raise spec.daemons.standbys or the memory in spec.daemons.template."),
    ImageUnavailable(
            "The image of a worker cannot be pulled; the message is the kubelet's.",
            "Check the image's name and the pull secret in the pod template."),
    CannotStart(
            "A worker's container cannot be started as its template says; the message is the kubelet's.",
            "Correct the pod template; kubectl describe pod says more."),
    Unschedulable(
            "No node takes a worker; the message is the scheduler's.",
            "Add nodes, lower the requests in the pod template, or relax its node selector and tolerations."),
    QuotaExceeded(
            "The namespace's ResourceQuota has no room for a worker.",
            "Raise the quota or lower spec.daemons.replicas, standbys or requests; it is tried again by itself."),
    LimitRangeViolated(
            "The namespace's LimitRange refuses a worker's requests or limits.",
            "Set resources in the pod template within the range."),
    PodSecurityViolated(
            "The namespace's Pod Security level refuses what a pod template asks for.",
            "Remove the privileges from the pod template; Volary's own parts need none."),
    NameTaken(
            "An object of another owner has a name that the job needs; the message says which, and who owns it. The operator"
                    + " leaves it as it is.",
            "Delete or rename it, or wait until garbage collection has removed the objects of an earlier job of this name;"
                    + " it is tried again by itself."),
    PodRefused("The API server refuses a worker pod; the message is its own.", "Correct what the message names."),
    Certified("A snapshot's certified residual is at most the tolerance.", ""),
    NotYetCertified(
            "No snapshot's residual is below the tolerance yet.", "Wait; status.certifiedResidual shows the way."),
    NotConverged(
            "The job ended before its residual reached the tolerance.",
            "Give it more time, another method, or a larger tolerance."),
    NotSuspended("The job runs, or has ended.", ""),
    Suspending("A snapshot is taken, then the pods go.", "Wait."),
    NoPods("No pod is left.", "Set spec.suspend: false to go on."),
    NoCheckpoint(
            "spec.suspend is true, but no snapshot could be taken onto the checkpoint volume; the job goes on.",
            "The message says why; without a volume, delete the job instead."),
    OnSpawners(
            "Spawners hold the result; the message names their pods.",
            "Download it with volary fetch JOB, before spec.ttlSecondsAfterFinished is over."),
    ResultFetched("A client has made the result durable on its side; the spawners' pods are deleted.", ""),
    ResultLost(
            "No spawner that holds the result is left, and it was not fetched.",
            "Delete the job and apply it again; with spec.result.destination: Volume the result outlives the pods."),
    NotFailed("Nothing has ended the job.", ""),
    RetriesExhausted(
            "Workers failed more often than spec.failurePolicy.maxRetries allows; disruptions are not counted.",
            "Read the logs of the failed pods, which spec.podRetention keeps."),
    DeadlineExceeded("The job was active for longer than spec.activeDeadlineSeconds.", "Raise it, or add daemons."),
    NeverStarted(
            "The job did not iterate within spec.preRunningDeadlineSeconds.",
            "The message names what was in the way; raise the deadline, or add machines."),
    Reconciled("The operator works on the job again.", ""),
    PassFailed(
            "The operator's newest pass over the job ended in an error; the message says the cause.",
            "Follow the message; it is attempted again by itself, after 30 s at the latest."),
    PollFailed(
            "The operator cannot ask the job's spawners; the message says the cause. The job goes on, but its status is old.",
            "Follow the message; it is attempted again by itself, every 10 s at least."),
    JobFailed("The workers gave up; the message is the lead's.", "Follow the message.");

    private final String meaning;
    private final String remedy;

    ConditionReason(String meaning, String remedy) {
        this.meaning = meaning;
        this.remedy = remedy;
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
