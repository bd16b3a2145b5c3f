// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.CoarseBlock;
import dev.volary.solver.Decomposition;

/**
 * The coarse problem {@code A U = g} on the whole grid, by V-cycles of the full approximation scheme with two sweeps before and
 * one after. With an obstacle it is a projected one: points that a load fixes keep the values of the load.
 */
final class MultigridCoarseBlock implements CoarseBlock {
    private static final int SWEEPS_BEFORE = 2;
    private static final int SWEEPS_AFTER = 1;
    private static final int SWEEPS_ON_COARSEST = 20;
    /** From zero these come so close to the coarse solution that more of them save no round. */
    private static final int START_CYCLES = 4;
    /** What a replacement makes in its first round, from zero. */
    private static final int REPLACEMENT_CYCLES = 3;

    private final GridRounds rounds;
    private final double omega;
    /** The level of the loads and all coarser ones. */
    private final GridLevel[] levels;

    private final GridTransfer[] transfers;
    private final LevelBox[] loads;
    private final LevelBox[] maps;
    private boolean started;

    MultigridCoarseBlock(GridRounds rounds, Decomposition decomposition) {
        this.rounds = rounds;
        GridOperator operator = rounds.operator();
        int finest = rounds.levels();
        omega = rounds.omega(finest);
        levels = new GridLevel[operator.levels() - finest];
        for (int l = 0; l < levels.length; l++) {
            levels[l] = rounds.level(finest + l, LevelBox.whole(operator, finest + l), false);
        }
        transfers = new GridTransfer[levels.length - 1];
        for (int l = 0; l < transfers.length; l++) {
            transfers[l] = new GridTransfer(levels[l], levels[l + 1], LevelBox.NONE);
        }
        loads = new LevelBox[decomposition.blocks()];
        maps = new LevelBox[decomposition.blocks()];
        for (int b = 0; b < loads.length; b++) {
            loads[b] = rounds.loadBox(decomposition, b);
            maps[b] = rounds.mapBox(decomposition, b);
        }
        rounds.setSource(levels[0], finest);
    }

    @Override
    public void start() {
        cycles(START_CYCLES);
    }

    @Override
    public void nextStep() {
        rounds.setSourceOfStep(levels[0], rounds.levels());
    }

    @Override
    public void load(int block, double[] values) {
        LevelBox box = loads[block];
        int next = levels[0].copyIn(levels[0].f, box, values, 0);
        if (levels[0].isConstrained()) {
            levels[0].copyFixedIn(box, values, next, next + box.size());
        }
    }

    /** One cycle; a replacement starts from zero and needs more. */
    @Override
    public void round() {
        cycles(started ? 1 : REPLACEMENT_CYCLES);
    }

    private void cycles(int count) {
        for (int cycle = 0; cycle < count; cycle++) {
            cycle(0);
        }
        started = true;
    }

    private void cycle(int level) {
        if (level == transfers.length) {
            for (int s = 0; s < SWEEPS_ON_COARSEST; s++) {
                levels[level].relax(omega);
            }
            return;
        }
        transfers[level].relaxAndRestrict(SWEEPS_BEFORE, omega, MultigridBlock.COARSE_NEAR);
        cycle(level + 1);
        transfers[level].takeCorrection(levels[level + 1].u);
        transfers[level].correctAndRelax(SWEEPS_AFTER, omega, MultigridBlock.COARSE_NEAR);
    }

    @Override
    public void writeMap(int block, double[] target) {
        levels[0].copyOut(levels[0].u, maps[block], target, 0);
    }
}
