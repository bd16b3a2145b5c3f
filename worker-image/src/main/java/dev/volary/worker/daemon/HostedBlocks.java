// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.mesh.Mesh;
import dev.volary.mesh.link.OutgoingLink;
import dev.volary.protocol.backup.RestoreDecision;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.CheckpointGeneration;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Scheme;
import dev.volary.solver.Block;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.RedundantCoarseBlock;
import dev.volary.solver.Resources;
import dev.volary.solver.SteppedBlock;
import dev.volary.worker.checkpoint.JobCheckpoints;
import dev.volary.worker.checkpoint.StoredCheckpoint;
import dev.volary.worker.compute.AsynchronousRunner;
import dev.volary.worker.compute.BlockRunner;
import dev.volary.worker.compute.BlockState;
import dev.volary.worker.compute.ComputeEngine;
import dev.volary.worker.compute.SynchronousRunner;
import dev.volary.worker.runtime.BackgroundExecutor;
import dev.volary.worker.runtime.OpenedProblem;
import dev.volary.worker.runtime.StageTracer;
import dev.volary.zarr.guess.InitialGuess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The blocks that are assigned to a daemon: opens them, from their backups if there are any, routes their halos, and drops them.
 * Called on the control loop; blocks are opened in the background, at the start of a job several at once.
 */
final class HostedBlocks {
    /** How long a block waits for its backup before it starts without: a known backup is worth more. */
    private static final RestoreDecision.Patience PATIENCE = new RestoreDecision.Patience(
            Duration.ofMillis(2_500), Duration.ofMillis(300), Duration.ofMillis(500), Duration.ofSeconds(15));

    private final OpenedProblem problem;
    private final Mesh mesh;
    private final DaemonEventAdapter events;
    private final Scheme scheme;
    private final int threadsPerBlock;
    private final ComputeEngine engine;
    private final BackgroundExecutor background;
    private final BackgroundExecutor openings;
    private final BlockBackups backups;
    private final Optional<JobCheckpoints> volume;
    private final Map<Integer, BlockRunner> runners;
    /** Blocks assigned to this daemon, with the incarnation it serves. */
    private final Map<Integer, Incarnation> assigned = new ConcurrentHashMap<>();
    /** Checkpoint generations that blocks may resume from, until one is chosen. */
    private final Map<Integer, List<BlockBackups.StoredGeneration>> generations = new ConcurrentHashMap<>();
    /** Blocks whose backups are searched for, open or not. */
    private final Map<Integer, Incarnation> searched = new ConcurrentHashMap<>();
    /** The daemons of the neighbors, as far as known; used on the control loop only. */
    private final Map<Integer, BlockAssignment> directory = new HashMap<>();

    /**
     * @param openings open the first blocks of a job
     * @param runners filled here, by block
     * @param volume where the job's checkpoints are
     */
    HostedBlocks(
            OpenedProblem problem,
            Mesh mesh,
            DaemonEventAdapter events,
            ComputeEngine.Options options,
            ComputeEngine engine,
            BackgroundExecutor background,
            BackgroundExecutor openings,
            BlockBackups backups,
            Optional<JobCheckpoints> volume,
            Map<Integer, BlockRunner> runners) {
        this.problem = problem;
        this.mesh = mesh;
        this.events = events;
        this.scheme = options.scheme();
        this.threadsPerBlock = Math.max(1, options.threadsPerBlock());
        this.engine = engine;
        this.background = background;
        this.openings = openings;
        this.backups = backups;
        this.volume = volume;
        this.runners = runners;
    }

    Optional<BlockRunner> runner(int block) {
        return Optional.ofNullable(runners.get(block));
    }

    Optional<AsynchronousRunner> asynchronousRunner(int block, Incarnation incarnation) {
        return runner(block, incarnation).map(AsynchronousRunner.class::cast);
    }

    Optional<SynchronousRunner> synchronousRunner(int block, Incarnation incarnation) {
        return runner(block, incarnation).map(SynchronousRunner.class::cast);
    }

    private Optional<BlockRunner> runner(int block, Incarnation incarnation) {
        return runner(block).filter(runner -> runner.incarnation().equals(incarnation));
    }

    Collection<BlockRunner> runners() {
        return runners.values();
    }

    /** Opens a block at the start of the job. */
    void open(int id, Incarnation incarnation) {
        prepareLinks(id, incarnation);
        openings.run(() -> openNow(id, incarnation, false, Optional.empty()));
    }

    /**
     * Opens a block from its newest backup, or without it if the search takes too long; then the block gets the backup when it
     * arrives.
     *
     * @param known a backup that exists or existed
     */
    void restore(int id, Incarnation incarnation, Optional<BackupVersion> known) {
        prepareLinks(id, incarnation);
        RestoreDecision decision = new RestoreDecision(scheme, known.isPresent(), PATIENCE, System.nanoTime());
        searched.put(id, incarnation);
        search(id, incarnation, known, decision);
        decision.startAt()
                .ifPresent(at ->
                        later(at, () -> carryOut(decision.tick(System.nanoTime()), id, incarnation, Optional.empty())));
    }

    private void search(int id, Incarnation incarnation, Optional<BackupVersion> known, RestoreDecision decision) {
        var _ = backups.newest(id, known)
                .thenAccept(found -> background.run(() -> {
                    StageTracer.mark("found", id, found.isPresent(), backups.reachableHolders());
                    OptionalLong again =
                            found.isPresent() ? OptionalLong.empty() : decision.searchAgainAt(System.nanoTime());
                    if (again.isPresent() && incarnation.equals(assigned.get(id))) {
                        later(again.getAsLong(), () -> search(id, incarnation, known, decision));
                    } else {
                        searched.remove(id, incarnation);
                    }
                    carryOut(decision.searched(found.isPresent()), id, incarnation, found);
                }));
    }

    /** Runs a task in the background at a time. */
    private void later(long at, Runnable task) {
        Executor delayed = CompletableFuture.delayedExecutor(at - System.nanoTime(), TimeUnit.NANOSECONDS);
        delayed.execute(() -> background.run(task));
    }

    private void carryOut(RestoreDecision.Next next, int id, Incarnation incarnation, Optional<BlockState> found) {
        if (!incarnation.equals(assigned.get(id))) {
            return; // it was taken away meanwhile
        }
        switch (next) {
            case WAIT -> {}
            case START, START_WITHOUT -> {
                if (found.isEmpty()) {
                    System.err.printf(
                            "block %d starts without a backup: none was found so far, %d holders can be reached%n",
                            id, backups.reachableHolders());
                }
                openNow(id, incarnation, true, found);
            }
            case OFFER -> asynchronousRunner(id, incarnation).ifPresent(runner -> found.ifPresent(runner::offer));
        }
    }

    /** Whether the backup of a block is still searched for. */
    boolean isSearched(int block) {
        return searched.containsKey(block);
    }

    /** Asks a block for a copy of its state, as {@link BlockRunner#backUp}. */
    void backUp(DaemonAction.BackUp action) {
        if (isSearched(action.block())) {
            // It would take the place of the backup that is searched for, which may be far ahead.
            events.offer(new DaemonEvent.BackupFailed(
                    action.block(), action.incarnation(), action.slot(), "its earlier backup is still searched for"));
            return;
        }
        runner(action.block(), action.incarnation()).ifPresent(runner -> runner.backUp(action.slot(), action.last()));
    }

    /** Reports the checkpoint generations of a block that others keep. */
    void findGenerations(int id, Incarnation incarnation) {
        prepareLinks(id, incarnation);
        var _ = backups.generations(id)
                .thenAccept(kept -> background.run(() -> {
                    if (incarnation.equals(assigned.get(id))) {
                        generations.put(id, kept);
                        events.offer(new DaemonEvent.GenerationsFound(id, incarnation, names(kept)));
                    }
                }));
    }

    /** Opens a block as it was at a checkpoint, or from the start. */
    void resume(int id, Incarnation incarnation, Optional<CheckpointGeneration> from) {
        background.run(() -> {
            List<BlockBackups.StoredGeneration> kept =
                    Optional.ofNullable(generations.remove(id)).orElse(List.of());
            Optional<BlockState> state = kept.stream()
                    .filter(each -> from.filter(each.generation()::equals).isPresent())
                    .map(BlockBackups.StoredGeneration::state)
                    .findFirst();
            if (from.isPresent() && state.isEmpty()) {
                events.offer(new DaemonEvent.BlockFailed(
                        id,
                        incarnation,
                        "block %d cannot go back to %s: it has %s".formatted(id, from.get(), names(kept))));
                return;
            }
            openNow(id, incarnation, true, state);
        });
    }

    private static List<CheckpointGeneration> names(List<BlockBackups.StoredGeneration> kept) {
        return kept.stream().map(BlockBackups.StoredGeneration::generation).toList();
    }

    /** The block's links are there before it is open: neighbors that are quicker find the receiving ends. */
    private void prepareLinks(int id, Incarnation incarnation) {
        assigned.put(id, incarnation);
        problem.decomposition().incoming(id).forEach(edge -> engine.incoming(edge.from(), id, edge.haloSize()));
        neighbors(id).forEach(other -> Optional.ofNullable(directory.get(other)).ifPresent(this::route));
    }

    private void openNow(int id, Incarnation incarnation, boolean restore, Optional<BlockState> state) {
        try {
            Optional<BlockState> start = state.isPresent() ? state : fromVolume(id, restore);
            StageTracer.mark("opening", id, start.isPresent());
            Block block =
                    problem.model().block(problem.decomposition(), id, new Resources(threadsPerBlock, Long.MAX_VALUE));
            if (problem.steps() > 0 && !(block instanceof SteppedBlock)) {
                throw new IllegalStateException("the model marches in time and the block is a "
                        + block.getClass().getName() + ", which cannot commit a step; this is a defect of the solver");
            }
            if (start.isEmpty()) {
                start = fromGuess(id, block, restore);
            }
            Optional<BlockRunner> runner = serve(id, incarnation, block, start, restore);
            if (runner.isEmpty()) {
                return; // it was taken away meanwhile
            }
            StageTracer.mark("restored", id, start.map(BlockState::iteration).orElse(0L));
            int step = runner.get().step();
            OptionalLong iteration =
                    start.map(s -> OptionalLong.of(s.iteration())).orElse(withoutCopy(block));
            events.offer(
                    restore
                            ? new DaemonEvent.BlockRestored(id, incarnation, iteration, step)
                            : new DaemonEvent.BlockOpened(id, incarnation, step));
        } catch (InvalidProblemException | IOException | RuntimeException e) {
            events.offer(new DaemonEvent.BlockFailed(
                    id, incarnation, "block %d cannot be opened: %s".formatted(id, e.getMessage())));
        } catch (OutOfMemoryError e) {
            events.offer(new DaemonEvent.BlockFailed(
                    id,
                    incarnation,
                    "block %d does not fit into memory (%d MiB heap); use more blocks and daemons"
                            .formatted(id, Runtime.getRuntime().maxMemory() >> 20)));
        }
    }

    /** Gives an open block to the engine; empty if it is not assigned any more. */
    private synchronized Optional<BlockRunner> serve(
            int id, Incarnation incarnation, Block block, Optional<BlockState> start, boolean restore)
            throws IOException {
        if (!incarnation.equals(assigned.get(id))) {
            return Optional.empty();
        }
        BlockRunner runner = engine.add(block, incarnation, id, start, restore);
        BlockRunner earlier = runners.put(id, runner);
        if (earlier != null) {
            earlier.stop();
        }
        if (!incarnation.equals(assigned.get(id))) {
            runner.stop();
            runners.remove(id, runner);
            return Optional.empty();
        }
        return Optional.of(runner);
    }

    /**
     * The iteration to report for a block that has no copy. A block that works in rounds waits for halos itself and publishes
     * none before it has healed: two of them that started only with each other's halos would both wait.
     */
    private OptionalLong withoutCopy(Block block) {
        boolean waitsItself = block instanceof RedundantCoarseBlock && scheme == Scheme.ASYNCHRONOUS;
        return waitsItself ? OptionalLong.of(0) : OptionalLong.empty();
    }

    /**
     * The job's initial guess, for a block that is in no backup and no checkpoint. A lost block that works in rounds finds a newer state
     * from the loads of the others; in lock-step all blocks go back to the start together.
     */
    private Optional<BlockState> fromGuess(int id, Block block, boolean restore) throws InvalidProblemException {
        boolean hasNewer = restore && scheme == Scheme.ASYNCHRONOUS && block instanceof RedundantCoarseBlock;
        if (problem.guess().isEmpty() || hasNewer) {
            return Optional.empty();
        }
        InitialGuess guess = problem.guess().get();
        List<double[]> halos = new ArrayList<>();
        for (Edge edge : problem.decomposition().incoming(id)) {
            halos.add(guess.read(edge.values()));
        }
        double[] core = guess.read(problem.decomposition().parts().get(id).core());
        return Optional.of(new BlockState(0, core, halos, new byte[0]));
    }

    /**
     * What a block starts from that is in no backup: the job's checkpoint on the volume. A block that marches in time gets its
     * values with the commit of a step instead. In lock-step all blocks count from the same iteration on, which is the first.
     *
     * @param restore the job computes already, or did: a block that cannot read the volume begins from the start
     */
    private Optional<BlockState> fromVolume(int id, boolean restore) throws IOException, InvalidProblemException {
        if (volume.isEmpty() || problem.steps() > 0) {
            return Optional.empty();
        }
        try {
            Optional<StoredCheckpoint> kept = volume.get().findStart();
            return kept.isEmpty()
                    ? Optional.empty()
                    : Optional.of(VolumeState.of(kept.get(), id, problem.decomposition(), scheme));
        } catch (IOException | InvalidProblemException e) {
            if (!restore) {
                throw e;
            }
            System.err.println("block " + id + " is opened without its checkpoint: " + e.getMessage());
            return Optional.empty();
        }
    }

    /** Sends data for the entry's block there, and takes data of that block from this incarnation on. */
    void route(BlockAssignment entry) {
        int other = entry.block();
        directory.put(other, entry);
        for (int neighbor : neighbors(other)) {
            if (assigned.containsKey(neighbor)) {
                link(neighbor, other).route(entry.daemon().id());
                engine.incoming(other, neighbor, length(other, neighbor)).acceptFrom(entry.incarnation());
            }
        }
    }

    private List<Integer> neighbors(int block) {
        List<Integer> neighbors = new ArrayList<>();
        problem.decomposition().outgoing(block).forEach(edge -> neighbors.add(edge.to()));
        problem.decomposition().incoming(block).forEach(edge -> neighbors.add(edge.from()));
        return neighbors.stream().distinct().toList();
    }

    OutgoingLink link(int from, int to) {
        return engine.outgoing(from, to, length(from, to));
    }

    /** Values that travel; none where only the other direction has an edge. */
    private int length(int from, int to) {
        return problem.edge(from, to).map(Edge::haloSize).orElse(0);
    }

    /**
     * Ends a block that is served elsewhere now.
     *
     * @param leavesBackup what was backed up last stays here, as a copy for others; else as this worker's own
     */
    void drop(int block, Incarnation incarnation, boolean leavesBackup) {
        if (assigned.remove(block, incarnation)) {
            runner(block, incarnation).ifPresent(runner -> {
                runner.stop();
                runners.remove(block, runner);
            });
            mesh.removeLinks(block);
            if (leavesBackup) {
                backups.forget(block);
            }
            generations.remove(block);
            searched.remove(block, incarnation);
        }
    }

    /** A snapshot is over without a certificate: blocks at rest go on. */
    void notCertified() {
        for (BlockRunner runner : runners.values()) {
            if (runner instanceof AsynchronousRunner asynchronous) {
                asynchronous.notCertified();
            }
        }
    }

    /** Ends all blocks within one iteration. */
    void stop() {
        runners.values().forEach(BlockRunner::stop);
    }
}
