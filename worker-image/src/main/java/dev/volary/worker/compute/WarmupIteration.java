// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.mesh.link.LinkTelemetry;
import dev.volary.mesh.link.OutgoingLink;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Resources;
import dev.volary.solver.Subdomain;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A standby computes a block for itself alone, with halos that stay as they were, so that its code is loaded and compiled when
 * a block needs it. Nothing of it leaves the process.
 */
public final class WarmupIteration {
    private static final Duration LONGEST = Duration.ofMillis(500);
    /** A tolerance that no residual is within, so that the block never rests. */
    private static final double ENDLESS = Double.MIN_NORMAL;

    private static final Incarnation NO_ASSIGNMENT = new Incarnation(new GroupTerm(1, new WorkerId(1)), 1);

    private final Model model;
    private final Decomposition decomposition;
    private final int block;
    private final Consumer<BlockState> onState;
    private volatile boolean isOver;

    /**
     * @param block to compute; standbys choose different ones, in case one of them takes its process down
     * @param onState is handed the block's state at the end, as for a backup
     */
    public WarmupIteration(Model model, Decomposition decomposition, int block, Consumer<BlockState> onState) {
        this.model = model;
        this.decomposition = decomposition;
        this.block = block;
        this.onState = onState;
    }

    /**
     * Iterates for a while on the calling thread, or until {@link #end}.
     *
     * @throws InvalidProblemException if the block cannot be opened here
     */
    public void run() throws InvalidProblemException {
        Subdomain part = decomposition.parts().get(block);
        LinkHalos halos = new LinkHalos(
                FixedHalos.initial(model, decomposition, part.id()).all(), 0);
        List<OutgoingEdge> outgoingEdges = decomposition.outgoing(part.id()).stream()
                .map(edge -> new OutgoingEdge(
                        edge,
                        new DiscardingLink(edge),
                        EdgePositions.of(decomposition.unknowns(), part.core(), edge.values())))
                .toList();
        RunnerConfig config = new RunnerConfig(
                part,
                NO_ASSIGNMENT,
                model.block(decomposition, part.id(), Resources.SINGLE),
                Optional.empty(),
                outgoingEdges,
                0,
                Duration.ZERO);
        BlockRunner runner = new AsynchronousRunner(
                config, List.of(), halos, ENDLESS, false, AsynchronousRunner.Origin.START, new StateListener(onState));
        runner.start();
        long until = System.nanoTime() + LONGEST.toNanos();
        ComputeTask.Activity activity = ComputeTask.Activity.WORKED;
        while (activity == ComputeTask.Activity.WORKED && !isOver && System.nanoTime() - until < 0) {
            activity = runner.runOnce();
        }
        if (activity != ComputeTask.Activity.DONE && !isOver) {
            runner.backUp(0, true);
            activity = runner.runOnce();
        }
        runner.stop();
    }

    /** Ends it within an iteration. */
    public void end() {
        isOver = true;
    }

    /** Listens to nothing but states. */
    private record StateListener(Consumer<BlockState> onState) implements RunnerListener {
        @Override
        public void backedUp(BlockRunner runner, int slot, boolean last, BlockState state, long nanos) {
            onState.accept(state);
        }

        @Override
        public void checkpointed(
                BlockRunner runner, int slot, long iteration, Optional<BlockState> state, long nanos) {}

        @Override
        public void tested(BlockRunner runner, long iteration, boolean passed, boolean asked) {}

        @Override
        public void backupArrivedLate(BlockRunner runner, long iteration, boolean adopted) {}

        @Override
        public void phaseElapsed(BlockRunner runner, int phase, boolean passed) {}

        @Override
        public void firstIterationDone(BlockRunner runner) {}

        @Override
        public void recorded(BlockRunner runner, RecordedCore core) {}

        @Override
        public void failed(BlockRunner runner, String reason) {}

        @Override
        public void haloOverdue(int from, int to, int step, long iteration) {}

        @Override
        public void stepCommitted(BlockRunner runner, int step) {}

        @Override
        public void nearlyConverged(BlockRunner runner) {}
    }

    /** A link that leads nowhere. */
    private static final class DiscardingLink implements OutgoingLink {
        private final Edge edge;
        private final double[] buffer;

        DiscardingLink(Edge edge) {
            this.edge = edge;
            this.buffer = new double[edge.haloSize()];
        }

        @Override
        public int from() {
            return edge.from();
        }

        @Override
        public int to() {
            return edge.to();
        }

        @Override
        public int length() {
            return buffer.length;
        }

        @Override
        public double[] begin() {
            return buffer;
        }

        @Override
        public void publish(Incarnation incarnation, int step, long iteration, int coarseVersion, boolean urgent) {}

        @Override
        public void resend() {}

        @Override
        public boolean resend(int step, long iteration) {
            return false;
        }

        @Override
        public void sendRecorded(long sid, int step, Incarnation incarnation, long hash, double[] values) {}

        @Override
        public void setLifetime(double iterations) {}

        @Override
        public void route(WorkerId peer) {}

        @Override
        public LinkTelemetry telemetry() {
            throw new IllegalStateException("a warm-up has no links to report");
        }
    }
}
