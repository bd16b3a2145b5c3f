// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import dev.volary.protocol.model.JobGraph;
import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.Resources;
import dev.volary.solver.SteppedBlock;
import dev.volary.solver.TimeStepping;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What a simulated job solves, and how the checker computes it again.
 *
 * @param model the problem
 * @param decomposition its blocks
 * @param reference the decomposition in which the checker evaluates delivered vectors
 * @param inverseBound of ‖A⁻¹‖∞ of one time step, where the checker also computes the whole job one after the other: in lock-step
 *     the bits, in time the last vector; none if that would cost too much
 */
public record SimulatedProblem(
        Model model, Decomposition decomposition, Decomposition reference, OptionalDouble inverseBound) {

    /** A small Laplace problem, which the checker evaluates in one piece. */
    public static SimulatedProblem plate(int side, int steps, int blocks) {
        LaplaceModel laplace = new LaplaceModel(side, steps);
        try {
            return new SimulatedProblem(
                    laplace,
                    laplace.decompose(blocks),
                    laplace.decompose(1),
                    OptionalDouble.of(laplace.inverseBound()));
        } catch (InvalidProblemException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /**
     * The same Laplace problem in rounds.
     *
     * @param side odd
     */
    public static SimulatedProblem rounds(int side, int steps, int blocks) {
        TwoGridModel twoGrids = new TwoGridModel(side, steps);
        Model model = RedundantCoarseModel.of(twoGrids);
        try {
            return new SimulatedProblem(
                    model, model.decompose(blocks), model.decompose(1), OptionalDouble.of(twoGrids.inverseBound()));
        } catch (InvalidProblemException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A user's problem, of any size: the checker evaluates block after block, and opens each one again. */
    public static SimulatedProblem of(Model model, Decomposition decomposition) {
        return new SimulatedProblem(model, decomposition, decomposition, OptionalDouble.empty());
    }

    /** The residual that a relative tolerance stands for. */
    public double absolute(double tolerance) {
        return tolerance * model.scale();
    }

    /** Time steps; 0 if the problem is stationary. */
    public int steps() {
        return model.timeStepping().map(TimeStepping::steps).orElse(0);
    }

    /** Whether the checker computes the whole job one after the other, too. */
    public boolean isSmall() {
        return inverseBound.isPresent();
    }

    /**
     * Opens a block.
     *
     * @throws IllegalStateException if the problem refuses, as it would refuse every worker
     */
    public Block open(Decomposition cut, int id) {
        try {
            return model.block(cut, id, Resources.SINGLE);
        } catch (InvalidProblemException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The time step that a block is in; 0 if it knows none. */
    public static int step(Block block) {
        return block instanceof SteppedBlock stepped ? stepped.step() : 0;
    }

    /** What the protocols need to know. */
    public JobGraph shape() {
        List<JobGraph.BlockShape> blocks = new ArrayList<>();
        for (int b = 0; b < decomposition.blocks(); b++) {
            blocks.add(new JobGraph.BlockShape(
                    decomposition.incoming(b).stream().map(Edge::from).sorted().toList(),
                    decomposition.outgoing(b).stream().map(Edge::to).sorted().toList(),
                    decomposition.parts().get(b).bytes(),
                    decomposition.parts().get(b).work()));
        }
        return new JobGraph(blocks, steps());
    }
}
