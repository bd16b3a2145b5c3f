// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.poisson;

import dev.volary.solver.Residual;
import dev.volary.solver.Shape;

/**
 * {@code (6u − Σ six neighbors)/h² = f} on n × n × n points of the unit cube, u[iz][iy][ix] at ((ix + 1)h, (iy + 1)h, (iz + 1)h)
 * with h = 1/(n + 1), zero on the boundary.
 */
final class PoissonEquation {
    /**
     * γ₁₀ = 10u/(1 − 10u): eight roundings for each term of a row, two in reserve for the sum of magnitudes; see
     * docs/explanation/certification.md.
     */
    static final double ROUNDOFF = Residual.gamma(10);

    /** A bound of ‖A⁻¹‖∞: the solution for f = 1 is nowhere larger. */
    private static final double INVERSE = 0.0563;

    private final int n;
    private final PoissonSource source;
    private final double inverseSquare;
    private final double largest;

    PoissonEquation(int n, PoissonSource source) {
        this.n = n;
        this.source = source;
        double h = 1.0 / (n + 1);
        inverseSquare = 1 / (h * h);
        int middle = n / 2;
        largest = sourceAt(middle, middle, middle);
    }

    int n() {
        return n;
    }

    Shape unknowns() {
        return Shape.of(n, n, n);
    }

    double inverseSquare() {
        return inverseSquare;
    }

    /** Whether f is the same everywhere. */
    boolean isUniform() {
        return source == PoissonSource.One;
    }

    /** f at a point, numbered from 0 on each axis. */
    double sourceAt(int iz, int iy, int ix) {
        double h = 1.0 / (n + 1);
        return source.at((ix + 1) * h, (iy + 1) * h, (iz + 1) * h);
    }

    /** {@code ‖f‖∞}. */
    double scale() {
        return largest;
    }

    /**
     * Twice {@code γ₁₀ (‖A‖∞ ‖u‖∞ + ‖f‖∞) / ‖f‖∞} (docs/explanation/certification.md, "attainable floor"): the rounding errors
     * left in the iterate, and those that the certificate allows for.
     */
    double attainableFloor() {
        return 2 * ROUNDOFF * (12 * inverseSquare * INVERSE + 1);
    }
}
