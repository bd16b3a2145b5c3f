// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Decomposition;
import dev.volary.solver.Preflight;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The pre-flight certificate of a linear system on its partition, with advice as text.
 *
 * <p>Damping is not proposed: with x ← (1 − ω) x + ω (Tx + c), 0 < ω ≤ 1, the absolute iteration matrix has the radius
 * 1 − ω + ω ρ(|T|), which is below 1 exactly if ρ(|T|) is.
 */
final class ConvergenceCertificate {
    private static final double MANY_ITERATIONS = 1e5;
    private static final double USUAL_TOLERANCE = 1e-6;

    private final RelaxationBounds bounds;
    private final Decomposition decomposition;
    private final IntFunction<Decomposition> otherCut;
    private final LinearMethod method;
    private final int sweeps;

    /**
     * @param decomposition the partition to certify
     * @param otherCut makes other partitions, which may be proposed instead
     */
    ConvergenceCertificate(
            SparseMatrix matrix,
            Decomposition decomposition,
            IntFunction<Decomposition> otherCut,
            LinearMethod method,
            int sweeps) {
        this.bounds = new RelaxationBounds(matrix);
        this.decomposition = decomposition;
        this.otherCut = otherCut;
        this.method = method;
        this.sweeps = sweeps;
    }

    Preflight preflight() {
        CollatzWielandt.Bounds found =
                switch (method) {
                    case PointJacobi -> bounds.ofPoints();
                    case GaussSeidel, Direct ->
                        bounds.exact(decomposition, method, sweeps)
                                .orElseGet(() -> bounds.ofBlocks(decomposition, method, sweeps));
                };
        Preflight silent = new Preflight(found.lower(), found.upper(), "");
        if (silent.verdict() == Preflight.Verdict.UNDECIDED && bounds.provedByDominance()) {
            return new Preflight(
                    Math.min(found.lower(), Preflight.BELOW_ONE), Preflight.BELOW_ONE, adviceWithoutFactor());
        }
        String advice =
                switch (silent.verdict()) {
                    case CERTIFIED -> adviceWhenSlow(silent);
                    case UNDECIDED ->
                        "undecided after " + bounds.sweeps() + " sweeps, the most for a matrix of this size; "
                                + proposals();
                    case REFUTED -> proposals();
                };
        return new Preflight(found.lower(), found.upper(), advice);
    }

    private String adviceWhenSlow(Preflight certified) {
        double predicted = certified.predictedIterations(USUAL_TOLERANCE);
        if (predicted <= MANY_ITERATIONS) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "certified, but up to %.0e iterations are predicted for a reduction by 1e-6: use %s",
                predicted,
                method == LinearMethod.Direct ? "fewer blocks" : "method: Direct");
    }

    private String adviceWithoutFactor() {
        return "certified by weakly chained diagonal dominance, but " + bounds.sweeps()
                + " sweeps give no factor: expect slow convergence; "
                + (method == LinearMethod.Direct
                        ? "fewer blocks need fewer iterations"
                        : "method: Direct needs fewer iterations");
    }

    private String proposals() {
        String otherwise =
                "or use scheme: Synchronous, or set spec.convergence.acceptRisk: true to try it nevertheless";
        for (int blocks = decomposition.blocks(); blocks >= 1 && bounds.isSmallEnough(blocks); blocks /= 2) {
            boolean same = blocks == decomposition.blocks();
            if (same && method == LinearMethod.Direct) {
                continue;
            }
            Optional<CollatzWielandt.Bounds> direct =
                    bounds.exact(same ? decomposition : otherCut.apply(blocks), LinearMethod.Direct, 1);
            if (direct.isPresent() && direct.get().upper() < 1) {
                return "use method: Direct with blocks: " + blocks + ", which is certified"
                        + factor(direct.get().upper()) + ", " + otherwise;
            }
        }
        return "use method: Direct with fewer, larger blocks, " + otherwise;
    }

    private static String factor(double upper) {
        return upper > 0 ? String.format(Locale.ROOT, " with the factor %.6f", upper) : "";
    }
}
