// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

/** How a linear system is solved, as a manifest names it. */
enum LinearSystemMethod {
    /** {@link #Schwarz}, or {@link #Direct} where that cannot be used. */
    Auto(LinearMethod.Direct, true),
    /** Two-level Schwarz in rounds. */
    Schwarz(LinearMethod.Direct, true),
    /** Relaxation with {@link LinearMethod#PointJacobi}. */
    PointJacobi(LinearMethod.PointJacobi, false),
    /** Relaxation with {@link LinearMethod#GaussSeidel}. */
    GaussSeidel(LinearMethod.GaussSeidel, false),
    /** Relaxation with {@link LinearMethod#Direct}. */
    Direct(LinearMethod.Direct, false);

    private final LinearMethod relaxation;
    private final boolean inRounds;

    LinearSystemMethod(LinearMethod relaxation, boolean inRounds) {
        this.relaxation = relaxation;
        this.inRounds = inRounds;
    }

    /** The relaxation of this method, or the one that takes its place. */
    LinearMethod relaxation() {
        return relaxation;
    }

    /** Whether blocks work in rounds. */
    boolean inRounds() {
        return inRounds;
    }
}
