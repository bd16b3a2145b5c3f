package dev.volary.operator.job;

/** The conditions of a job. */
public enum ConditionType {
    /** Enough daemons compute. */
    Ready,
    /** Fewer workers or copies than wanted, or something is in the way of getting them. */
    Degraded,
    /** The certified residual is at most the tolerance. */
    Converged,
    /** No pod is left, and the state is kept. */
    Suspended,
    /** The job ended without an answer. */
    Failed
}
