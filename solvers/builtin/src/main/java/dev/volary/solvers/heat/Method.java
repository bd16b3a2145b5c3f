package dev.volary.solvers.heat;

/** How a block improves its values. */
public enum Method {
    /** Every point becomes the average of its four neighbours. */
    PointJacobi
}
