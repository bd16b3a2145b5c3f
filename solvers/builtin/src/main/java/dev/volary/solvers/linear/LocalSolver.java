// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import java.util.Optional;

/** The local solve of a block. Confined to one thread; does not allocate in {@link #improve}. */
sealed interface LocalSolver {

    /**
     * Improves the core.
     *
     * @param x own unknowns and halos; the own unknowns are updated
     * @param residual {@code b − A x} on the core; may be overwritten
     */
    void improve(double[] x, double[] residual);

    /** The local solve of a method; empty if it is direct and the block is singular. */
    static Optional<LocalSolver> of(BlockRows rows, LinearMethod method, int sweeps) {
        return switch (method) {
            case PointJacobi -> Optional.of(new PointJacobi(rows));
            case GaussSeidel -> Optional.of(new GaussSeidel(rows, sweeps));
            case Direct -> SparseLu.of(rows.ownMatrix()).map(factors -> new Direct(rows, factors));
        };
    }

    /** One Jacobi sweep: {@code x += D⁻¹ r}. */
    record PointJacobi(BlockRows rows) implements LocalSolver {
        @Override
        public void improve(double[] x, double[] residual) {
            for (int i = 0; i < rows.core(); i++) {
                x[i] += residual[i] / rows.diagonal(i);
            }
        }
    }

    /** Forward Gauss–Seidel sweeps. */
    record GaussSeidel(BlockRows rows, int sweeps) implements LocalSolver {
        @Override
        public void improve(double[] x, double[] residual) {
            for (int sweep = 0; sweep < sweeps; sweep++) {
                rows.gaussSeidelSweep(x);
            }
        }
    }

    /** {@code x += M⁻¹ r}, with M the block's own matrix: as a correction, it also refines what rounding left over. */
    record Direct(BlockRows rows, SparseLu factors) implements LocalSolver {
        @Override
        public void improve(double[] x, double[] residual) {
            factors.solve(residual);
            for (int i = 0; i < rows.core(); i++) {
                x[i] += residual[i];
            }
        }
    }
}
