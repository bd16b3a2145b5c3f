// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.poisson;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Residual;
import dev.volary.solver.Shape;
import dev.volary.solvers.field.GridField;
import org.jspecify.annotations.Nullable;

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
    private final @Nullable GridField field;
    private final double inverseSquare;

    /**
     * @param source f by a rule, unless there is a field
     * @param field f in a file, n × n × n numbers
     */
    PoissonEquation(int n, PoissonSource source, @Nullable GridField field) {
        this.n = n;
        this.source = source;
        this.field = field;
        double h = 1.0 / (n + 1);
        inverseSquare = 1 / (h * h);
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
        return field == null && source == PoissonSource.One;
    }

    /** f at a point, numbered from 0 on each axis. */
    double sourceAt(int iz, int iy, int ix) {
        if (field != null) {
            return field.at(((long) iz * n + iy) * n + ix);
        }
        double h = 1.0 / (n + 1);
        return source.at((ix + 1) * h, (iy + 1) * h, (iz + 1) * h);
    }

    /**
     * Checks all numbers of the file that gives f, if one does.
     *
     * @throws InvalidProblemException if one cannot be used
     */
    void check() throws InvalidProblemException {
        if (field != null) {
            double ignored = field.normOfRightHandSide();
        }
    }

    /** {@code ‖f‖∞}; reads the whole file that gives f, if one does. */
    double scale() {
        if (field == null) {
            int middle = n / 2;
            return sourceAt(middle, middle, middle);
        }
        return field.checkedNorm();
    }

    /**
     * Twice {@code γ₁₀ (‖A‖∞ ‖u‖∞ + ‖f‖∞) / ‖f‖∞} (docs/explanation/certification.md, "attainable floor"): the rounding errors
     * left in the iterate, and those that the certificate allows for.
     */
    double attainableFloor() {
        return 2 * ROUNDOFF * (12 * inverseSquare * INVERSE + 1);
    }
}
