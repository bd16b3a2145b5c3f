package dev.volary.solvers.heat;

/**
 * What a temperature tends to: a harmonic polynomial of degree at most three, which is also its boundary value. The five-point
 * scheme reproduces it exactly (docs/explanation/problems.md, "heat on a square"), so it takes no part in the discretisation
 * error.
 */
public enum Equilibrium implements Dirichlet {
    /** 0: what is inside cools down. */
    Zero,
    /** 1. */
    One,
    /** x. */
    X,
    /** y. */
    Y,
    /** xy. */
    XY,
    /** x² − y². */
    X2Y2,
    /** x³ − 3xy². */
    Cubic,
    /** 3x²y − y³. */
    Cubic2;

    @Override
    public double at(double x, double y) {
        return switch (this) {
            case Zero -> 0;
            case One -> Boundary.One.at(x, y);
            case X -> Boundary.X.at(x, y);
            case Y -> Boundary.Y.at(x, y);
            case XY -> Boundary.XY.at(x, y);
            case X2Y2 -> Boundary.X2Y2.at(x, y);
            case Cubic -> Boundary.Cubic.at(x, y);
            case Cubic2 -> Boundary.Cubic2.at(x, y);
        };
    }
}
