// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.job;

/** The conditions of a job. The operations page is made from these too. */
public enum ConditionType {
    /** Enough daemons compute. */
    Ready("At least spec.daemons.min daemons compute.", "False", "See its reason; while it is Forming, wait."),
    /** Fewer workers or copies than wanted, or something is in the way of getting them. */
    Degraded(
            "The job goes on with fewer workers or copies than wanted; a further loss may cost iterations.",
            "True",
            "See its reason; most pass by themselves once a replacement has started."),
    /** The certified residual is at most the tolerance. */
    Converged("The certified residual is at most the tolerance.", "False", "Wait, unless the job has ended."),
    /** No pod is left, and the state is kept. */
    Suspended("No pod is left, and the state is kept.", "True", "Set spec.suspend: false to go on."),
    /** Spawners hold the result of a job that succeeded. */
    ResultAvailable(
            "Spawners hold the result of the job, which has succeeded.",
            "False",
            "See its reason; with ResultFetched a client has the result."),
    /** The job ended without an answer. */
    Failed("The job ended without an answer; it does not start again.", "True", "See its reason and message."),
    /** The operator's newest pass over the job and its newest poll of the spawners worked. Absent until one fails. */
    Reconciled(
            "The operator's newest pass over the job and its newest poll of the spawners worked. Absent until one fails.",
            "False",
            "See its reason and message: the status may be old. The operator tries again by itself.");

    private final String meaning;
    private final String attention;
    private final String remedy;

    ConditionType(String meaning, String attention, String remedy) {
        this.meaning = meaning;
        this.attention = attention;
        this.remedy = remedy;
    }

    /** What it means that it is true, in a sentence. */
    public String meaning() {
        return meaning;
    }

    /** The status that asks for a look: {@code True} or {@code False}. */
    public String attention() {
        return attention;
    }

    /** What to do then. */
    public String remedy() {
        return remedy;
    }
}
