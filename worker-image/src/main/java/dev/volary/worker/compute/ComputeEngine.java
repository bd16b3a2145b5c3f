// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.mesh.Mesh;
import dev.volary.mesh.link.IncomingLink;
import dev.volary.mesh.link.LockStepLink;
import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.mesh.link.OutgoingLink;
import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Scheme;
import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Model;
import dev.volary.solver.RedundantCoarseBlock;
import dev.volary.solver.Sliced;
import dev.volary.solver.Subdomain;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The compute threads of one daemon and the blocks they run. */
public final class ComputeEngine implements AutoCloseable {
    private final Model model;
    private final Decomposition decomposition;
    private final Mesh mesh;
    private final boolean isInRounds;
    private final Options options;
    private final RunnerListener listener;
    private final List<ComputeThread> threads = new ArrayList<>();
    private final List<SliceWorkers> sliceWorkers = new ArrayList<>();
    private final AtomicInteger busy;
    private int added;

    /**
     * How a daemon computes.
     *
     * @param scheme when halos are taken
     * @param threads compute threads
     * @param threadsPerBlock threads that share one block, if the block can be sliced
     * @param tolerance absolute tolerance of the job
     * @param isTreeVerified the verification tree is the detector
     * @param leastIteration least duration of an iteration; zero unless an experiment wants the daemon slow
     */
    public record Options(
            Scheme scheme,
            int threads,
            int threadsPerBlock,
            double tolerance,
            boolean isTreeVerified,
            Duration leastIteration) {}

    /**
     * @param onFailure called with an error that ended a compute thread
     */
    public ComputeEngine(
            Model model,
            Decomposition decomposition,
            Mesh mesh,
            Options options,
            RunnerListener listener,
            Consumer<Throwable> onFailure) {
        this.model = model;
        this.decomposition = decomposition;
        this.mesh = mesh;
        isInRounds = model.worksInRounds(decomposition);
        this.options = options;
        this.listener = listener;
        this.busy = new AtomicInteger(options.threads());
        for (int i = 0; i < options.threads(); i++) {
            ComputeThread thread = new ComputeThread("compute-" + i, onFailure, this::napping);
            threads.add(thread);
            thread.start();
        }
    }

    private void napping(boolean naps) {
        if (!naps) {
            busy.incrementAndGet();
        } else if (busy.decrementAndGet() == 0) {
            mesh.reportComputeIdle();
        }
    }

    /**
     * Gives an opened block to a compute thread. It publishes its initial values and iterates once started.
     *
     * @param restored what it goes on from, if there is such; then these halos are in use until newer ones arrive
     * @param isReplacement the block was computed elsewhere before
     * @throws IOException if the block cannot read what it saved
     */
    public synchronized BlockRunner add(
            Block block, Incarnation incarnation, int id, Optional<BlockState> restored, boolean isReplacement)
            throws IOException {
        LinkHalos halos = initialHalos(id);
        if (restored.isPresent()) {
            halos = new LinkHalos(restored.get().halos(), restored.get().iteration());
            restored.get().restoreTo(block, halos);
            if (!isReplacement && block instanceof RedundantCoarseBlock inRounds) {
                inRounds.startFromVector();
            }
        }
        Subdomain part = decomposition.parts().get(id);
        Optional<SliceWorkers> workers = Optional.empty();
        if (block instanceof Sliced sliced && options.threadsPerBlock() > 1) {
            workers = Optional.of(new SliceWorkers(sliced, options.threadsPerBlock()));
            sliceWorkers.add(workers.get());
        }
        List<OutgoingEdge> outgoingEdges = new ArrayList<>();
        for (Edge edge : decomposition.outgoing(id)) {
            OutgoingLink link = outgoing(id, edge.to(), edge.haloSize());
            link.setLifetime(Math.max(1, layers(part, edge) / block.reach()));
            outgoingEdges.add(new OutgoingEdge(
                    edge, link, EdgePositions.of(decomposition.unknowns(), part.core(), edge.values())));
        }
        // In lock-step all blocks count from the same iteration on: that of a checkpoint, or the first of a time step.
        boolean counts =
                options.scheme() == Scheme.ASYNCHRONOUS || model.timeStepping().isEmpty();
        long completed = counts ? restored.map(BlockState::iteration).orElse(0L) : 0;
        RunnerConfig config =
                new RunnerConfig(part, incarnation, block, workers, outgoingEdges, completed, options.leastIteration());
        ComputeThread thread = threads.get(added++ % threads.size());
        BlockRunner runner =
                switch (options.scheme()) {
                    case ASYNCHRONOUS ->
                        asynchronous(config, id, halos, thread, origin(isReplacement, restored.isPresent()));
                    case SYNCHRONOUS -> synchronous(config, id, halos, thread);
                };
        runner.onRequest(thread::wake);
        thread.add(runner);
        return runner;
    }

    /** The sending end from {@code from} to {@code to}, as this scheme wants it. */
    public OutgoingLink outgoing(int from, int to, int length) {
        return switch (options.scheme()) {
            case ASYNCHRONOUS -> isInRounds ? mesh.outgoingInRounds(from, to, length) : mesh.outgoing(from, to, length);
            case SYNCHRONOUS -> mesh.outgoingLockStep(from, to, length);
        };
    }

    /** The receiving end from {@code from} to {@code to}, as this scheme wants it. */
    public IncomingLink incoming(int from, int to, int length) {
        return switch (options.scheme()) {
            case ASYNCHRONOUS -> newestWins(from, to, length);
            case SYNCHRONOUS -> mesh.incomingLockStep(from, to, length);
        };
    }

    private NewestWinsLink newestWins(int from, int to, int length) {
        return isInRounds ? mesh.incomingInRounds(from, to, length) : mesh.incoming(from, to, length);
    }

    private static AsynchronousRunner.Origin origin(boolean isReplacement, boolean hasCopy) {
        if (!isReplacement) {
            return AsynchronousRunner.Origin.START;
        }
        return hasCopy ? AsynchronousRunner.Origin.COPY : AsynchronousRunner.Origin.LOST;
    }

    private AsynchronousRunner asynchronous(
            RunnerConfig config, int id, LinkHalos halos, ComputeThread thread, AsynchronousRunner.Origin origin) {
        List<NewestWinsLink> incomingLinks = new ArrayList<>();
        for (Edge edge : decomposition.incoming(id)) {
            NewestWinsLink link = newestWins(edge.from(), id, edge.haloSize());
            link.onArrival(thread::wake);
            incomingLinks.add(link);
        }
        return new AsynchronousRunner(
                config, incomingLinks, halos, options.tolerance(), options.isTreeVerified(), origin, listener);
    }

    private SynchronousRunner synchronous(RunnerConfig config, int id, LinkHalos halos, ComputeThread thread) {
        List<LockStepLink> incomingLinks = new ArrayList<>();
        for (Edge edge : decomposition.incoming(id)) {
            incomingLinks.add(mesh.incomingLockStep(edge.from(), id, edge.haloSize()));
        }
        List<OutgoingLink> signals = new ArrayList<>();
        for (Edge edge : decomposition.outgoing(id)) {
            if (decomposition.incoming(id).stream().noneMatch(in -> in.from() == edge.to())) {
                incomingLinks.add(mesh.incomingLockStep(edge.to(), id, 0));
            }
        }
        for (Edge edge : decomposition.incoming(id)) {
            if (decomposition.outgoing(id).stream().noneMatch(out -> out.to() == edge.from())) {
                signals.add(mesh.outgoingLockStep(id, edge.from(), 0));
            }
        }
        incomingLinks.forEach(link -> link.onArrival(thread::wake));
        double hintBound = SnapshotConfig.of(options.tolerance()).hintBound();
        return new SynchronousRunner(config, incomingLinks, signals, halos, hintBound, listener);
    }

    /** How deep the block is, counted in layers as thick as the halo. */
    private static double layers(Subdomain part, Edge edge) {
        return (double) part.core().size() / Math.max(1, edge.values().size());
    }

    private LinkHalos initialHalos(int id) {
        return new LinkHalos(FixedHalos.initial(model, decomposition, id).all(), 0);
    }

    @Override
    public void close() {
        threads.forEach(ComputeThread::close);
        sliceWorkers.forEach(SliceWorkers::close);
    }
}
