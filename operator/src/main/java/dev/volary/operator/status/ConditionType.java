// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.status;

/** The conditions of a job. The page docs/reference/conditions.md is generated from these texts. */
public enum ConditionType {
    /** Enough daemons compute, or the job has succeeded, so that tools that wait for Ready (kstatus) do not wait without end. */
    Ready(
            "At least spec.daemons.min daemons compute, or the job has succeeded.",
            "False",
            "See its reason; if it is Forming, wait."),
    /** The job has succeeded, as for a Job of Kubernetes. */
    Complete("The job has succeeded.", "False", "Wait, unless the job has failed."),
    /** The job makes no progress until a person acts, as kstatus defines it. Absent until that happens. */
    Stalled(
            "The job has failed, or makes no progress until its cause is removed. Absent until that happens.",
            "True",
            "See its reason and message."),
    /** The job has fewer workers or backups than requested. */
    Degraded(
            "The job continues with fewer workers or backups than requested; a further loss may cost iterations.",
            "True",
            "See its reason; most reasons disappear once a replacement has started."),
    /** The certified residual is at most the tolerance. */
    Converged("The certified residual is at most the tolerance.", "False", "Wait, unless the job has ended."),
    /** All pods are deleted, and the state is kept. */
    Suspended("All pods are deleted, and the state is kept.", "True", "Set spec.suspend: false to resume the job."),
    /** The result can be had: from the spawners, or from the storage that the job names. */
    ResultAvailable(
            "The spawners hold the result of the job, which has succeeded, or the storage that spec.result names has it.",
            "False",
            "See its reason; with ResultFetched, a client has the result."),
    /** The job ended without a certified result. */
    Failed("The job ended without a certified result; it does not start again.", "True", "See its reason and message."),
    /** The latest reconciliation of the job and the latest poll of its spawners succeeded. Absent until one fails. */
    Reconciled(
            "The latest reconciliation of the job and the latest poll of its spawners succeeded. Absent until one fails.",
            "False",
            "See its reason and message: the status may be outdated. The operator retries by itself."),
    /** Workers know the zones of their nodes. Absent until it is seen that they do not. */
    ZonesKnown(
            "Workers know the zones of their nodes, as far as these have any. Absent until that is not so: then each node"
                    + " counts as a zone of its own, and all replicas of a block may be in one zone.",
            "False",
            "See its reason.");

    private final String meaning;
    private final String attention;
    private final String remedy;

    ConditionType(String meaning, String attention, String remedy) {
        this.meaning = meaning;
        this.attention = attention;
        this.remedy = remedy;
    }

    /** The meaning of {@code True}, in a sentence. */
    public String meaning() {
        return meaning;
    }

    /** The status that needs attention: {@code True} or {@code False}. */
    public String attention() {
        return attention;
    }

    /** What to do if it needs attention. */
    public String remedy() {
        return remedy;
    }
}
