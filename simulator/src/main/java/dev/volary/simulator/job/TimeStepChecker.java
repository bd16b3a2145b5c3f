// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.simulator.scenario.SimulatedProblem;
import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import dev.volary.solver.SteppedBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Checks the invariants of time steps: one certified vector each, never another; the last one is that of implicit Euler. */
final class TimeStepChecker {
    /** Reduction of the residual by which a step counts as solved, below the tolerance. */
    private static final double EXACT = 1e-4;

    private static final Halos NONE = SimulatedBlock.halos(new double[0][]);

    private final SimulatedProblem problem;
    private final Decomposition decomposition;
    private final double tolerance;
    private final int outputEvery;
    private final Consumer<String> violated;
    private final TreeMap<Integer, Long> sids = new TreeMap<>();
    private final TreeMap<Integer, TreeMap<Integer, double[]>> committed = new TreeMap<>();
    private final TreeMap<Integer, Long> outputs = new TreeMap<>();
    private final List<SteppedBlock> references = new ArrayList<>();
    private int referenceSteps;

    TimeStepChecker(SimulatedProblem problem, double tolerance, int outputEvery, Consumer<String> violated) {
        this.problem = problem;
        this.decomposition = problem.decomposition();
        this.tolerance = tolerance;
        this.outputEvery = outputEvery;
        this.violated = violated;
    }

    /** A leader appends an entry to its log: a time step is decided only once all its parts are stored. */
    void entryLogged(LogEntry entry) {
        if (entry instanceof LogEntry.StepCommitted(CommittedStep record)
                && record.parts().size() != decomposition.blocks()) {
            violated.accept("step " + record.step() + " is logged with only "
                    + record.parts().size() + " parts stored");
        }
    }

    /** A block takes a halo to read, which must belong to its own time step. */
    void haloRead(int block, int step, int from, BlockVersion halo) {
        if (halo.step() != step) {
            violated.accept(
                    "block " + block + " took data of step " + halo.step() + " of block " + from + " in step " + step);
        }
    }

    /** The leader announced a commit. */
    void commitAnnounced(JobEvent.StepCommitted event) {
        checkSnapshotOf(event.step(), event.sid());
        if (event.step() > 1 && !sids.containsKey(event.step() - 1)) {
            violated.accept("step " + event.step() + " is committed before step " + (event.step() - 1));
        }
    }

    /** A block has taken a commit; these are its values now. */
    void stepCommitted(CommittedStep record, int block, double[] values) {
        if (!sids.containsKey(record.step())) {
            violated.accept("block " + block + " commits step " + record.step() + ", which no leader decided");
        }
        checkSnapshotOf(record.step(), record.sid());
        TreeMap<Integer, double[]> cores = committed.computeIfAbsent(record.step(), s -> new TreeMap<>());
        double[] known = cores.putIfAbsent(block, values);
        if (known == null && cores.size() == decomposition.blocks()) {
            checkResidual(record);
        } else if (known != null && !Arrays.equals(known, values)) {
            violated.accept("block " + block + " commits other values for step " + record.step() + " than before");
        }
    }

    /** A leader has put the vector of an output step together: all of its parts must still be stored. */
    void outputStepAssembled(CommittedStep record, SimulatedPartRepository parts) {
        checkSnapshotOf(record.step(), record.sid());
        for (int block = 0; block < decomposition.blocks(); block++) {
            if (!outputs.containsKey(record.step())
                    && record.part(block)
                            .flatMap(part -> parts.find(record.sid(), part.part()))
                            .isEmpty()) {
                violated.accept("block " + block + " of the output step " + record.step() + " is not stored any more");
            }
        }
        outputs.put(record.step(), record.sid());
    }

    /** The result of a step is put together, with those of the output steps before. */
    void resultAssembled(int last) {
        for (int step = outputEvery; outputEvery > 0 && step < last; step += outputEvery) {
            if (!outputs.containsKey(step)) {
                violated.accept("the result of step " + last + " lacks the output step " + step);
            }
        }
    }

    private void checkSnapshotOf(int step, long sid) {
        Long known = sids.putIfAbsent(step, sid);
        if (known != null && known != sid) {
            violated.accept("step " + step + " is committed as snapshot " + known + " and as " + sid);
        }
    }

    private void checkResidual(CommittedStep record) {
        Residual truth = residual(vector(record.step()), record.step() - 1);
        if (!(truth.norm() <= tolerance) || !(Math.abs(record.residual() - truth.norm()) <= 2 * truth.roundoff())) {
            violated.accept("step " + record.step() + " is committed with the residual " + record.residual()
                    + ", its vector has " + truth.norm() + ", the tolerance is " + tolerance);
        }
    }

    /** The residual of a whole vector, in the step after the last one that all blocks have committed. */
    Residual residual(double[] vector) {
        int last = 0;
        while (last + 1 < problem.steps() && isComplete(last + 1)) {
            last++;
        }
        return residual(vector, last);
    }

    private Residual residual(double[] vector, int committedSteps) {
        bringReferenceTo(committedSteps);
        Decomposition cut = problem.reference();
        Residual residual = Residual.ZERO;
        for (int b = 0; b < cut.blocks(); b++) {
            Block block = problem.steps() > 0 ? references.get(b) : problem.open(cut, b);
            residual = residual.combine(block.residual(core(cut, b, vector), halos(cut, b, vector)));
        }
        return residual;
    }

    /** Those blocks have no other state than what they commit, so they serve all steps. */
    private void bringReferenceTo(int committedSteps) {
        Decomposition cut = problem.reference();
        for (int b = references.size(); problem.steps() > 0 && b < cut.blocks(); b++) {
            references.add((SteppedBlock) problem.open(cut, b));
        }
        while (referenceSteps < committedSteps) {
            referenceSteps++;
            double[] all = vector(referenceSteps);
            for (int b = 0; b < cut.blocks(); b++) {
                references.get(b).commit(core(cut, b, all), halos(cut, b, all));
            }
        }
    }

    /** Whether all blocks have committed this step; the initial values are complete. */
    boolean isComplete(int step) {
        return step < 1 || committed.getOrDefault(step, new TreeMap<>()).size() == decomposition.blocks();
    }

    /** Commits to a block all steps before this one. */
    void bringTo(Block block, int id, int to) {
        for (int step = 1; step < to; step++) {
            double[] all = vector(step);
            ((SteppedBlock) block).commit(core(decomposition, id, all), halos(decomposition, id, all));
        }
    }

    /** The job is certified: what was delivered is what sequential implicit Euler gives, within what the tolerance allows. */
    void jobCertified(double[] delivered) {
        int steps = problem.steps();
        if (steps > 0 && sids.size() != steps - 1) {
            violated.accept("certified after " + sids.size() + " commits of " + (steps - 1));
        }
        if (steps > 0 && problem.isSmall()) {
            compareWithEuler(delivered, steps, problem.inverseBound().orElseThrow());
        }
    }

    private void compareWithEuler(double[] delivered, int steps, double inverseBound) {
        SteppedBlock whole = (SteppedBlock) problem.open(problem.reference(), 0);
        double[] exact = new double[delivered.length];
        for (int step = 1; step <= steps; step++) {
            double residual = Double.POSITIVE_INFINITY;
            while (residual > EXACT * tolerance) {
                whole.iterate(NONE);
                whole.copyCore(exact);
                residual = whole.residual(exact, NONE).norm();
            }
            whole.commit(exact, NONE);
        }
        double error = 0;
        for (int i = 0; i < exact.length; i++) {
            error = Math.max(error, Math.abs(exact[i] - delivered[i]));
        }
        // Each step adds at most its own residual times the bound of the inverse.
        double allowed = steps * tolerance * (1 + EXACT) * inverseBound;
        if (!(error <= allowed)) {
            violated.accept("the result is " + error + " off sequential implicit Euler, more than " + allowed);
        }
    }

    /** The committed vector of a step; what no block has committed yet stays zero. */
    private double[] vector(int step) {
        double[] all = new double[(int) decomposition.unknowns().size()];
        committed.getOrDefault(step, new TreeMap<>()).forEach((block, values) -> {
            long[] where = decomposition.parts().get(block).core().indices(decomposition.unknowns());
            for (int i = 0; i < where.length; i++) {
                all[(int) where[i]] = values[i];
            }
        });
        return all;
    }

    private static double[] core(Decomposition cut, int block, double[] all) {
        return select(all, cut.parts().get(block).core().indices(cut.unknowns()));
    }

    private static Halos halos(Decomposition cut, int block, double[] all) {
        List<Edge> incoming = cut.incoming(block);
        double[][] halos = new double[incoming.size()][];
        for (int k = 0; k < halos.length; k++) {
            halos[k] = select(all, incoming.get(k).values().indices(cut.unknowns()));
        }
        return SimulatedBlock.halos(halos);
    }

    private static double[] select(double[] all, long[] where) {
        return Arrays.stream(where).mapToDouble(i -> all[(int) i]).toArray();
    }
}
