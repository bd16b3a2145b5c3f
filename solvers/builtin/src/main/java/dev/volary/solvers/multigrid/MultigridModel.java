// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.CoarseBlock;
import dev.volary.solver.CoarseModel;
import dev.volary.solver.CoarseSizes;
import dev.volary.solver.Decomposition;
import dev.volary.solver.GridDecomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Resources;
import dev.volary.solver.RoundBlock;
import dev.volary.solvers.kernel.GhostGrid;
import dev.volary.solvers.kernel.Relaxation;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** The equations of a relaxation on a grid by multigrid in rounds. The residual is that of the relaxation too. */
public final class MultigridModel extends SameEquations implements CoarseModel {
    /** Rounds reduce the residual by 0.1 to 0.25 each, the last with an obstacle (docs/explanation/problems.md, "multigrid in rounds"). */
    private static final double USUAL_RATE = 0.25;

    private final GridOperator operator;
    private final GridData data;
    private final int levels;
    private final double omega;
    private final double rate;
    private final Function<GhostGrid, Relaxation> certificate;

    /**
     * @param relaxed the model of the same equations by relaxation
     * @param levels how often a block coarsens its grid, 0 for a number that suits the decomposition
     * @param omega factor of the sweeps, see {@link GridRounds}
     * @param certificate as for {@link GridRounds#block}
     */
    public MultigridModel(
            Model relaxed,
            GridOperator operator,
            GridData data,
            int levels,
            double omega,
            Function<GhostGrid, Relaxation> certificate) {
        this(relaxed, operator, data, levels, omega, USUAL_RATE, certificate);
    }

    /**
     * As the other constructor, for equations on which rounds work less well.
     *
     * @param rate factor by which a round usually reduces the residual
     */
    public MultigridModel(
            Model relaxed,
            GridOperator operator,
            GridData data,
            int levels,
            double omega,
            double rate,
            Function<GhostGrid, Relaxation> certificate) {
        super(relaxed);
        this.rate = rate;
        this.operator = operator;
        this.data = data;
        this.levels = levels;
        this.omega = omega;
        this.certificate = certificate;
    }

    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        return rounds(GridDecomposition.star(unknowns(), blocks, 1, Double.BYTES, 1))
                .decompose(blocks);
    }

    @Override
    public RoundBlock block(Decomposition decomposition, int id, Resources resources) {
        return rounds(decomposition).block(decomposition, id, certificate);
    }

    @Override
    public CoarseSizes coarse(Decomposition decomposition) {
        return rounds(decomposition).sizes(decomposition);
    }

    @Override
    public CoarseBlock coarseBlock(Decomposition decomposition, Resources resources) {
        return rounds(decomposition).coarseBlock(decomposition);
    }

    @Override
    public Optional<String> method(Decomposition decomposition) {
        return Optional.of("Multigrid, levels " + levels(decomposition));
    }

    @Override
    public OptionalDouble predictedIterations(Decomposition decomposition, double factor) {
        return OptionalDouble.of(Preflight.iterations(rate, factor));
    }

    private int levels(Decomposition cores) {
        return levels == 0 ? GridRounds.suitableLevels(cores) : levels;
    }

    private GridRounds rounds(Decomposition cores) {
        return new GridRounds(operator, data, levels(cores), omega, cores);
    }
}
