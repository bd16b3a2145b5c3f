// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

/**
 * What a temperature tends to: a harmonic polynomial of degree at most three, which is also its boundary value. The five-point
 * scheme reproduces it exactly (docs/explanation/problems.md, "heat on a square"), so it takes no part in the discretization
 * error.
 */
public enum SteadyState implements DirichletBoundary {
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
            case One -> BoundaryValues.One.at(x, y);
            case X -> BoundaryValues.X.at(x, y);
            case Y -> BoundaryValues.Y.at(x, y);
            case XY -> BoundaryValues.XY.at(x, y);
            case X2Y2 -> BoundaryValues.X2Y2.at(x, y);
            case Cubic -> BoundaryValues.Cubic.at(x, y);
            case Cubic2 -> BoundaryValues.Cubic2.at(x, y);
        };
    }
}
