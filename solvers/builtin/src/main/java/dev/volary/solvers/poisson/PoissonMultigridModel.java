// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.poisson;

import dev.volary.solver.CoarseBlock;
import dev.volary.solver.CoarseModel;
import dev.volary.solver.CoarseSizes;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Resources;
import dev.volary.solver.RoundBlock;
import dev.volary.solver.Shape;
import dev.volary.solvers.kernel.KernelChoice;
import dev.volary.solvers.multigrid.GridData;
import dev.volary.solvers.multigrid.GridOperator;
import dev.volary.solvers.multigrid.GridRounds;

/** A {@link PoissonEquation} by multigrid in rounds. */
final class PoissonMultigridModel implements CoarseModel {
    /** The best factor for sweeps over three axes: 0.13 for each cycle, not 0.24 as with 1. */
    private static final double OMEGA = 1.15;

    private final PoissonEquation equation;
    private final int levels;
    private final GridOperator operator;

    /**
     * @param levels how often a block coarsens its grid, 0 for a number that suits the decomposition
     */
    PoissonMultigridModel(PoissonEquation equation, int levels) {
        this.equation = equation;
        this.levels = levels;
        operator = GridOperator.poisson(equation.unknowns());
    }

    @Override
    public Shape unknowns() {
        return equation.unknowns();
    }

    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        return rounds(levels == 0 ? GridRounds.suitableLevels(unknowns(), blocks) : levels)
                .decompose(blocks);
    }

    @Override
    public RoundBlock block(Decomposition decomposition, int id, Resources resources) {
        return rounds(decomposition)
                .block(
                        decomposition,
                        id,
                        layout -> new PoissonRelaxation(
                                equation,
                                layout,
                                KernelChoice.forUnknowns(layout.core().size())));
    }

    @Override
    public CoarseSizes coarse(Decomposition decomposition) {
        return rounds(decomposition).sizes(decomposition);
    }

    @Override
    public CoarseBlock coarseBlock(Decomposition decomposition, Resources resources) {
        return rounds(decomposition).coarseBlock(decomposition);
    }

    private GridRounds rounds(Decomposition decomposition) {
        return rounds(levels == 0 ? GridRounds.suitableLevels(decomposition) : levels);
    }

    private GridRounds rounds(int depth) {
        return new GridRounds(operator, new Source(), depth, OMEGA, GridRounds.OVERLAP);
    }

    /** The right-hand side on lines numbered from 1. */
    private final class Source implements GridData {
        @Override
        public boolean hasUniformSource() {
            return equation.isUniform();
        }

        @Override
        public double source(int plane, int row, int column) {
            return equation.sourceAt(plane - 1, row - 1, column - 1);
        }
    }

    @Override
    public double scale() {
        return equation.scale();
    }

    @Override
    public double attainableFloor() {
        return equation.attainableFloor();
    }
}
