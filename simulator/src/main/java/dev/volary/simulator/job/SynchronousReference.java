// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.simulator.scenario.SimulatedProblem;
import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import java.util.ArrayList;
import java.util.List;

/** Computes the synchronous iterations of a job sequentially, as a reference for what its daemons record. */
final class SynchronousReference {
    private final SimulatedProblem problem;
    private final Decomposition decomposition;
    private final TimeStepChecker timeSteps;
    private final List<Block> blocks = new ArrayList<>();
    /** All cores after each iteration of the time step, from the start values on. */
    private final List<double[][]> iterations = new ArrayList<>();

    private int timeStep;

    /**
     * @param timeSteps knows the committed vectors, with which a time step begins
     */
    SynchronousReference(SimulatedProblem problem, TimeStepChecker timeSteps) {
        this.problem = problem;
        this.decomposition = problem.decomposition();
        this.timeSteps = timeSteps;
    }

    /** The core of a block after this number of synchronous iterations of a time step. */
    double[] core(int block, int step, long iteration) {
        if (step != timeStep || iterations.isEmpty()) {
            begin(step);
        }
        while (iterations.size() <= iteration) {
            iterate(iterations.getLast());
        }
        return iterations.get((int) iteration)[block];
    }

    private void begin(int step) {
        timeStep = step;
        iterations.clear();
        blocks.clear();
        for (int b = 0; b < decomposition.blocks(); b++) {
            Block block = problem.open(decomposition, b);
            timeSteps.bringTo(block, b, step);
            blocks.add(block);
        }
        iterations.add(cores());
    }

    private void iterate(double[][] before) {
        for (int b = 0; b < decomposition.blocks(); b++) {
            List<Edge> incoming = decomposition.incoming(b);
            double[][] halos = new double[incoming.size()][];
            for (int k = 0; k < halos.length; k++) {
                halos[k] = halo(incoming.get(k), before[incoming.get(k).from()]);
            }
            blocks.get(b).iterate(SimulatedBlock.halos(halos));
        }
        iterations.add(cores());
    }

    private double[][] cores() {
        double[][] cores = new double[decomposition.blocks()][];
        for (int b = 0; b < cores.length; b++) {
            cores[b] = new double[decomposition.parts().get(b).core().size()];
            blocks.get(b).copyCore(cores[b]);
        }
        return cores;
    }

    private double[] halo(Edge edge, double[] core) {
        long[] indices = decomposition.parts().get(edge.from()).core().indices(decomposition.unknowns());
        long[] wanted = edge.values().indices(decomposition.unknowns());
        double[] values = new double[wanted.length];
        for (int i = 0; i < wanted.length; i++) {
            for (int j = 0; j < indices.length; j++) {
                if (indices[j] == wanted[i]) {
                    values[i] = core[j];
                }
            }
        }
        return values;
    }
}
