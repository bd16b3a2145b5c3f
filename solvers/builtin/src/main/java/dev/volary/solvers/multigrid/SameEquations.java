// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.Edge;
import dev.volary.solver.GridAxis;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Mesh;
import dev.volary.solver.Model;
import dev.volary.solver.ResidualNorm;
import dev.volary.solver.Shape;
import dev.volary.solver.TimeStepping;
import java.util.List;
import java.util.Optional;

/** The equations of a relaxation, solved by another method: what does not depend on the method is that of the relaxation. */
public abstract class SameEquations implements Model {
    private final Model relaxed;

    /** @param relaxed the model of the same equations by relaxation */
    protected SameEquations(Model relaxed) {
        this.relaxed = relaxed;
    }

    /** The model by relaxation. */
    protected final Model relaxed() {
        return relaxed;
    }

    @Override
    public final void initialHalo(Edge edge, double[] target) {
        relaxed.initialHalo(edge, target);
    }

    @Override
    public final String field() {
        return relaxed.field();
    }

    @Override
    public final String unit() {
        return relaxed.unit();
    }

    @Override
    public final Shape unknowns() {
        return relaxed.unknowns();
    }

    @Override
    public final List<GridAxis> axes() {
        return relaxed.axes();
    }

    @Override
    public final Optional<Mesh> mesh() {
        return relaxed.mesh();
    }

    @Override
    public final Optional<TimeStepping> timeStepping() {
        return relaxed.timeStepping();
    }

    @Override
    public final ResidualNorm residualNorm() {
        return relaxed.residualNorm();
    }

    @Override
    public final double scale() {
        return relaxed.scale();
    }

    @Override
    public final void selfCheck() throws InvalidProblemException {
        relaxed.selfCheck();
    }

    @Override
    public final double attainableFloor() {
        return relaxed.attainableFloor();
    }
}
