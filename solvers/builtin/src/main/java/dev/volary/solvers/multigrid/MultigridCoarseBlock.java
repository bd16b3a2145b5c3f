// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.CoarseBlock;
import dev.volary.solver.Decomposition;
import java.util.Arrays;

/** The coarse problem {@code A U = g} on the whole grid, by V-cycles with two sweeps before and one after. */
final class MultigridCoarseBlock implements CoarseBlock {
    private static final int SWEEPS_BEFORE = 2;
    private static final int SWEEPS_AFTER = 1;
    private static final int SWEEPS_ON_COARSEST = 10;
    /** From zero these come so close to the coarse solution that more of them save no round. */
    private static final int START_CYCLES = 4;
    /** What a replacement makes in its first round, from zero. */
    private static final int REPLACEMENT_CYCLES = 3;

    private final double omega;
    /** The level of the loads and all coarser ones. */
    private final GridLevel[] levels;

    private final GridTransfer[] transfers;
    private final LevelBox[] loads;
    private final LevelBox[] maps;
    private boolean started;

    MultigridCoarseBlock(GridRounds rounds, Decomposition decomposition) {
        GridOperator operator = rounds.operator();
        omega = rounds.omega();
        int finest = rounds.levels();
        levels = new GridLevel[operator.levels() - finest];
        for (int l = 0; l < levels.length; l++) {
            levels[l] = new GridLevel(operator, finest + l, LevelBox.whole(operator, finest + l), false, false);
        }
        transfers = new GridTransfer[levels.length - 1];
        for (int l = 0; l < transfers.length; l++) {
            transfers[l] = new GridTransfer(levels[l], levels[l + 1]);
        }
        loads = new LevelBox[decomposition.blocks()];
        maps = new LevelBox[decomposition.blocks()];
        for (int b = 0; b < loads.length; b++) {
            loads[b] = rounds.loadBox(decomposition, b);
            maps[b] = rounds.mapBox(decomposition, b);
        }
        levels[0].setSource(rounds.source(finest));
    }

    @Override
    public void start() {
        cycles(START_CYCLES);
    }

    @Override
    public void load(int block, double[] values) {
        levels[0].copyIn(levels[0].f, loads[block], values, 0);
    }

    /** One cycle, except that a replacement starts from zero and needs more. */
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
            relax(level, SWEEPS_ON_COARSEST);
            return;
        }
        relax(level, SWEEPS_BEFORE);
        transfers[level].restrictResidual();
        Arrays.fill(levels[level + 1].u, 0);
        cycle(level + 1);
        transfers[level].prolong(levels[level + 1].u);
        relax(level, SWEEPS_AFTER);
    }

    private void relax(int level, int sweeps) {
        for (int s = 0; s < sweeps; s++) {
            levels[level].relax(omega);
        }
    }

    @Override
    public void writeMap(int block, double[] target) {
        levels[0].copyOut(levels[0].u, maps[block], target, 0);
    }
}
