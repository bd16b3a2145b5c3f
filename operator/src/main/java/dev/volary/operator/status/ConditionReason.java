// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.status;

/** Reasons of conditions. The page docs/reference/conditions.md is generated from these texts. */
public enum ConditionReason {
    EnoughDaemons("At least spec.daemons.min daemons compute.", ""),
    TooFewDaemons(
            "Fewer daemons than spec.daemons.min compute; the others continue.",
            "List the pods with kubectl get pods -l volary.dev/job=JOB; the condition Degraded names the obstacle."),
    Forming("Workers start, form groups and receive their blocks.", "Wait; the events show the progress."),
    Finished("The job has ended.", ""),
    Progressing("The job makes progress again.", ""),
    NotComplete("The job has not succeeded.", ""),
    InvalidSpec(
            "The API server accepted the manifest, but a further check rejects it; the message names field, value and remedy.",
            "Correct the field and apply the manifest again; immutable fields need a new job."),
    Complete("All requested workers and backups exist.", ""),
    FewerDaemons("A lost daemon is not replaced yet.", "Wait for its replacement, or set spec.daemons.standbys."),
    FewerSpawners("A lost spawner is not replaced yet.", "Wait for its replacement."),
    FewerCopies(
            "Blocks have fewer backups than spec.checkpoint.copies.",
            "Wait until replacements have joined; if there are fewer workers than copies, add workers."),
    BlocksParked(
            "Blocks are parked because no daemon has enough free memory.",
            "Raise spec.daemons.standbys or the memory in spec.daemons.template."),
    ZonesHidden(
            "Nodes have the label topology.kubernetes.io/zone and pods on them do not; the message names such a pod.",
            "Use Kubernetes 1.35 or newer, which copies the label to pods, or 1.33 with the feature gate"
                    + " PodTopologyLabelsAdmission; else give each zone a group in spec.workerGroups, with the label and a"
                    + " nodeSelector for it in the template. Only new pods learn their zone."),
    ZonesUnreadable(
            "Pods have no label topology.kubernetes.io/zone, and this operator may not read nodes, so it cannot say whether"
                    + " these have zones.",
            "If kubectl get nodes -L topology.kubernetes.io/zone shows zones, see ZonesHidden; else nothing."),
    ZonesLabeled("All pods on nodes with zones carry the labels of their zones.", ""),
    ImageUnavailable(
            "The image of a worker cannot be pulled; the message comes from the kubelet.",
            "Check the image name and the pull secret in the pod template."),
    CannotStart(
            "The container of a worker cannot be started; the message comes from the kubelet.",
            "Correct the pod template; kubectl describe pod shows details."),
    Unschedulable(
            "No node fits a worker; the message comes from the scheduler.",
            "Add nodes, lower the requests in the pod template, or relax its node selector and tolerations."),
    QuotaExceeded(
            "The ResourceQuota of the namespace does not allow another worker.",
            "Raise the quota or lower spec.daemons.replicas, standbys or requests; the operator retries by itself."),
    LimitRangeViolated(
            "The LimitRange of the namespace rejects the requests or limits of a worker.",
            "Set resources within the range in the pod template."),
    PodSecurityViolated(
            "The Pod Security level of the namespace rejects a pod template.",
            "Remove the privileges from the pod template; Volary itself needs none."),
    NameTaken(
            "An object of another owner has a name that the job needs; the message names both. The operator does not change"
                    + " it.",
            "Delete or rename it, or wait until garbage collection has removed the objects of an earlier job of this name;"
                    + " the operator retries by itself."),
    PodRefused("The API server rejects a worker pod; the message comes from it.", "Correct what the message names."),
    Certified("The certified residual of a snapshot is at most the tolerance.", ""),
    NotYetCertified(
            "No snapshot has a certified residual below the tolerance yet.",
            "Wait; status.certifiedResidual shows the progress."),
    NotConverged(
            "The job ended before its residual reached the tolerance.",
            "If the condition Failed has this reason, download the best answer with volary fetch JOB. Raise the deadline or"
                    + " the tolerance, or use another method."),
    NotSuspended("The job is active, or has ended.", ""),
    Suspending("The operator takes a snapshot, then deletes the pods.", "Wait."),
    NoPods("All pods are deleted.", "Set spec.suspend: false to resume the job."),
    NoCheckpoint(
            "spec.suspend is true, but no snapshot could be saved as a checkpoint; the job continues.",
            "The message names the reason; without storage for checkpoints, delete the job instead."),
    OnSpawners(
            "Spawners hold the result; the message names their pods.",
            "Download it with volary fetch JOB before spec.ttlSecondsAfterFinished expires."),
    ExpiresSoon(
            "Spawners hold the result, no client has fetched it, and more than half of spec.ttlSecondsAfterFinished is over.",
            "Download it with volary fetch JOB before the time that the message names."),
    Published("The result is in the storage that spec.result names; the message says where.", ""),
    PublicationFailed(
            "The result is complete, but could not be written to the storage that spec.result names; the message names the"
                    + " cause. Two spawners hold it, and the leader tries again for 15 minutes.",
            "Remove the cause; if that takes longer, download the result with volary fetch JOB."),
    ResultFetched("A client has downloaded the result; the spawner pods are deleted.", ""),
    ResultLost(
            "No spawner that holds the result is left, and no client has fetched it.",
            "Delete the job and apply it again."),
    NotFailed("The job has not failed.", ""),
    RetriesExhausted(
            "Workers failed more often than spec.failurePolicy.maxRetries allows; disruptions do not count.",
            "Read the logs of the failed pods, which spec.podRetention keeps."),
    DeadlineExceeded(
            "The job was active for longer than spec.activeDeadlineSeconds, and has no result.",
            "Raise it, or add daemons."),
    NeverStarted(
            "The job did not iterate within spec.preRunningDeadlineSeconds.",
            "The message names the obstacle; remove it, raise the deadline, or add nodes."),
    Reconciled("The operator reconciles the job again without errors.", ""),
    PassFailed(
            "The latest reconciliation of the job failed; the message names the cause.",
            "Follow the message; the operator retries after at most 30 s."),
    PollFailed(
            "The operator cannot poll the spawners of the job; the message names the cause. The job continues, but its status is outdated.",
            "Follow the message; the operator retries at least every 10 s."),
    JobFailed("The workers ended the job; the message comes from the leader.", "Follow the message.");

    private final String meaning;
    private final String remedy;

    ConditionReason(String meaning, String remedy) {
        this.meaning = meaning;
        this.remedy = remedy;
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
