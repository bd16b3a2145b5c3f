// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.mesh.Mesh;
import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.job.IterationPace;
import dev.volary.mesh.job.ProtocolSettings;
import dev.volary.mesh.link.OutgoingLink;
import dev.volary.mesh.link.RecordedHalo;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.LinkReports;
import dev.volary.protocol.daemon.DaemonMachine;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.Machine;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.CheckpointGeneration;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.Scheme;
import dev.volary.solver.Block;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Resources;
import dev.volary.solver.SteppedBlock;
import dev.volary.worker.checkpoint.JobCheckpoints;
import dev.volary.worker.checkpoint.StoredCheckpoint;
import dev.volary.worker.compute.AsynchronousRunner;
import dev.volary.worker.compute.BlockRunner;
import dev.volary.worker.compute.BlockState;
import dev.volary.worker.compute.ComputeEngine;
import dev.volary.worker.compute.RecordedCore;
import dev.volary.worker.compute.RunnerListener;
import dev.volary.worker.compute.SynchronousRunner;
import dev.volary.worker.result.PartRepository;
import dev.volary.worker.runtime.BackgroundExecutor;
import dev.volary.worker.runtime.HostChannel;
import dev.volary.worker.runtime.OpenedProblem;
import dev.volary.worker.runtime.RoleRuntime;
import dev.volary.worker.runtime.StageTracer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Carries out the actions of a daemon's machine: opens blocks, computes them, and takes part in snapshots. */
public final class DaemonRuntime implements RoleRuntime<DaemonEvent, DaemonTurn>, RunnerListener {
    /** Progress is sampled every fiftieth of the time since the start, within these bounds. */
    private static final Duration FIRST_SAMPLE = Duration.ofMillis(100);

    private static final Duration LAST_SAMPLE = Duration.ofMillis(500);

    private final JobDescription job;
    private final OpenedProblem problem;
    private final Mesh mesh;
    private final HostChannel parent;
    private final DaemonEventAdapter events;
    private final Scheme scheme;
    private final ComputeEngine engine;
    private final BackgroundExecutor background;
    private final BlockBackups backups;
    private final BackupScheduler backupScheduler;
    private final Optional<JobCheckpoints> volume;
    private final Runnable onEvicted;
    private final SnapshotEvaluator snapshots;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("timer").factory());
    private final Map<Integer, BlockRunner> runners = new ConcurrentHashMap<>();
    /** Blocks assigned to this daemon, with the incarnation it serves. */
    private final Map<Integer, Incarnation> ownBlocks = new ConcurrentHashMap<>();
    /** Checkpoint generations that blocks may resume from, until one is chosen. */
    private final Map<Integer, List<BlockBackups.StoredGeneration>> generations = new ConcurrentHashMap<>();
    /** The daemons of the neighbors, as far as known; used on the control loop only. */
    private final Map<Integer, BlockAssignment> directory = new HashMap<>();
    /** The warm-up of a standby; used on the control loop only. */
    private Optional<StandbyWarmup> warmUp = Optional.empty();
    /** What the links had seen when computing was over. */
    private volatile Optional<LinkReports> links = Optional.empty();

    /**
     * @param backups closed by its owner
     * @param volume where the job's checkpoints are
     * @param onEvicted called when this worker was evicted from the job, or has left it
     */
    public DaemonRuntime(
            JobDescription job,
            OpenedProblem problem,
            Mesh mesh,
            HostChannel parent,
            DaemonEventAdapter events,
            BlockBackups backups,
            Optional<JobCheckpoints> volume,
            Runnable onEvicted) {
        this.backups = backups;
        this.volume = volume;
        this.backupScheduler = new BackupScheduler(
                job.getCheckpointEvery(),
                job.getBlocks(),
                (long) Double.BYTES * problem.decomposition().unknowns().size() / job.getBlocks(),
                System.nanoTime());
        this.onEvicted = onEvicted;
        this.job = job;
        this.problem = problem;
        this.mesh = mesh;
        this.parent = parent;
        this.events = events;
        this.scheme = LocalCodec.read(job.getScheme());
        this.background = new BackgroundExecutor(broken -> {
            broken.printStackTrace();
            parent.failure("%s failed in the background: %s; see its log"
                    .formatted(mesh.self().name(), broken));
        });
        this.engine = new ComputeEngine(
                problem.model(),
                problem.decomposition(),
                mesh,
                options(),
                this,
                broken -> parent.failure(
                        "%s failed computing: %s".formatted(mesh.self().name(), broken)));
        PartRepository results = parent.partRepository(job);
        this.snapshots = new SnapshotEvaluator(
                problem.decomposition(),
                volume.map(v -> v.partRepository(results)).orElse(results),
                runners,
                engine,
                events);
    }

    private ComputeEngine.Options options() {
        int cores = job.getThreads() > 0 ? job.getThreads() : mesh.self().cores();
        int blocks = Math.max(1, Math.ceilDiv(job.getBlocks(), ProtocolSettings.daemons(job)));
        int threads = Math.clamp(blocks, 1, cores);
        return new ComputeEngine.Options(
                scheme,
                threads,
                Math.max(1, cores / blocks),
                job.getAbsoluteTolerance(),
                ProtocolSettings.usesTree(job),
                IterationPace.of(job, mesh.self().name()));
    }

    @Override
    public Machine<DaemonEvent, DaemonTurn> createMachine(Member self, JobGraph graph) {
        sampleAgain(System.nanoTime());
        return new DaemonMachine(self, graph, ProtocolSettings.daemon(job), job.getSeed());
    }

    private void sampleAgain(long start) {
        long period = Math.clamp((System.nanoTime() - start) / 50, FIRST_SAMPLE.toNanos(), LAST_SAMPLE.toNanos());
        var unusedUntilClose = timer.schedule(
                () -> {
                    sample();
                    sampleAgain(start);
                },
                period,
                TimeUnit.NANOSECONDS);
    }

    private void sample() {
        if (runners.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        List<BlockProgress> blocks = new ArrayList<>();
        Set<Integer> waiting = new HashSet<>();
        runners.values().forEach(runner -> {
            blocks.add(runner.progress(now, backups.holders(runner.id())));
            if (runner.isWaiting()) {
                waiting.add(runner.id());
            }
        });
        if (StageTracer.isOn()) {
            StageTracer.mark(
                    "sample",
                    StageTracer.cpuNanos(),
                    blocks.stream().mapToLong(BlockProgress::iteration).sum());
            StageTracer.mark("reaches", backups.reachableHolders());
        }
        backupScheduler
                .sampled(blocks, backups.reachableHolders(), backups.lostHolders(), now)
                .ifPresent(every -> {
                    StageTracer.mark("paced", every);
                    events.offer(new DaemonEvent.BackupIntervalChanged(every));
                });
        events.offer(new DaemonEvent.ProgressSampled(blocks, waiting));
        parent.sampled(blocks);
    }

    @Override
    public DaemonTurn newTurn(long now) {
        return new DaemonTurn(now);
    }

    @Override
    public void carryOut(DaemonTurn turn, Consumer<WorkerAction> shared) {
        turn.actions().forEach(action -> carryOut(action, shared));
    }

    private void carryOut(DaemonAction action, Consumer<WorkerAction> shared) {
        switch (action) {
            case WorkerAction common -> shared.accept(common);
            case DaemonAction.WarmUp() -> startWarmUp();
            case DaemonAction.OpenBlock(int block, Incarnation incarnation) ->
                open(block, incarnation, false, CompletableFuture.completedFuture(Optional.empty()));
            case DaemonAction.RestoreBlock(int block, Incarnation incarnation, var known) ->
                open(block, incarnation, true, backups.newest(block, known));
            case DaemonAction.FindGenerations(int block, Incarnation incarnation) ->
                findGenerations(block, incarnation);
            case DaemonAction.ResumeBlock(int block, Incarnation incarnation, var from) ->
                background.run(() -> resume(block, incarnation, from));
            case DaemonAction.CheckpointBlock(int block, Incarnation incarnation, int slot, long iteration) ->
                synchronousRunner(block, incarnation).ifPresent(runner -> runner.checkpoint(slot, iteration));
            case DaemonAction.BeginPhase(int block, Incarnation incarnation, int phase) ->
                runner(block)
                        .filter(runner -> runner.incarnation().equals(incarnation))
                        .map(AsynchronousRunner.class::cast)
                        .ifPresent(runner -> runner.enter(phase));
            case DaemonAction.TestStep(int block, Incarnation incarnation, long iteration) ->
                synchronousRunner(block, incarnation).ifPresent(runner -> runner.test(iteration));
            case DaemonAction.ReleaseBlock(int block, Incarnation incarnation, long iteration) ->
                synchronousRunner(block, incarnation).ifPresent(runner -> runner.release(iteration));
            case DaemonAction.BackUp(int block, Incarnation incarnation, int slot, boolean last) ->
                runner(block).ifPresent(runner -> runner.backUp(slot, last));
            case DaemonAction.RouteBlock(BlockAssignment entry) -> route(entry);
            case DaemonAction.PublishHalo(int from, int to) -> link(from, to).resend();
            case DaemonAction.ResendHalo(int from, int to, int step, long iteration) -> {
                boolean ignored = link(from, to).resend(step, iteration);
            }
            case DaemonAction.StartBlock(int block, Incarnation incarnation) ->
                runner(block).ifPresent(BlockRunner::start);
            case DaemonAction.DropBlock(int block, Incarnation incarnation) -> drop(block, incarnation);
            case DaemonAction.RecordBlock(long sid, int block) -> runner(block).ifPresent(runner -> runner.record(sid));
            case DaemonAction.SendRecordedHalo(long sid, int from, int to) ->
                background.run(() -> snapshots.send(sid, from, to));
            case DaemonAction.EvaluatePart(long sid, int block, var used) ->
                background.run(() -> snapshots.evaluate(sid, block, used));
            case DaemonAction.StorePart(long sid, int block) -> background.run(() -> snapshots.store(sid, block));
            case DaemonAction.DropRecord(long sid) -> background.run(() -> snapshots.drop(sid));
            case DaemonAction.CommitStep commit -> background.run(() -> snapshots.commit(commit));
            case DaemonAction.StopComputing() -> {
                runners.values().forEach(BlockRunner::stop);
                links = Optional.of(linkReports());
                parent.stopped();
            }
            case DaemonAction.Exit() -> restart();
        }
    }

    @Override
    public void restart() {
        runners.values().forEach(BlockRunner::stop);
        onEvicted.run();
    }

    private void open(int id, Incarnation incarnation, boolean restore, CompletableFuture<Optional<BlockState>> state) {
        prepareLinks(id, incarnation);
        var _ = state.thenAccept(found -> {
            StageTracer.mark("found", id, found.isPresent(), backups.reachableHolders());
            if (restore && found.isEmpty()) {
                System.err.printf(
                        "block %d starts again: none of the %d reachable holders has its backup%n",
                        id, backups.reachableHolders());
            }
            background.run(() -> openNow(id, incarnation, restore, found));
        });
    }

    /** Gets ready to take a block over; again if it is in another group now. */
    private void startWarmUp() {
        endWarmUp();
        warmUp = Optional.of(new StandbyWarmup(
                problem, mesh.self().id(), backups, scheme, () -> events.offer(new DaemonEvent.WarmupFinished())));
    }

    private void endWarmUp() {
        warmUp.ifPresent(running -> background.run(running::end));
        warmUp = Optional.empty();
    }

    /** The block's links are there before it is open. */
    private void prepareLinks(int id, Incarnation incarnation) {
        ownBlocks.put(id, incarnation);
        endWarmUp();
        // Neighbors that are quicker find the receiving ends there already.
        problem.decomposition()
                .incoming(id)
                .forEach(edge -> engine.incoming(edge.from(), id, edge.values().size()));
        neighbors(id).forEach(other -> Optional.ofNullable(directory.get(other)).ifPresent(this::route));
    }

    private void findGenerations(int id, Incarnation incarnation) {
        prepareLinks(id, incarnation);
        var _ = backups.generations(id)
                .thenAccept(kept -> background.run(() -> {
                    if (incarnation.equals(ownBlocks.get(id))) {
                        generations.put(id, kept);
                        events.offer(new DaemonEvent.GenerationsFound(
                                id,
                                incarnation,
                                kept.stream()
                                        .map(BlockBackups.StoredGeneration::generation)
                                        .toList()));
                    }
                }));
    }

    /** Opens a block as it was at a checkpoint, or from the start. */
    private void resume(int id, Incarnation incarnation, Optional<CheckpointGeneration> from) {
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
                    "block %d cannot go back to %s: it has %s"
                            .formatted(
                                    id,
                                    from.get(),
                                    kept.stream()
                                            .map(BlockBackups.StoredGeneration::generation)
                                            .toList())));
            return;
        }
        openNow(id, incarnation, true, state);
    }

    private Optional<SynchronousRunner> synchronousRunner(int block, Incarnation incarnation) {
        return runner(block)
                .filter(runner -> runner.incarnation().equals(incarnation))
                .map(SynchronousRunner.class::cast);
    }

    private void openNow(int id, Incarnation incarnation, boolean restore, Optional<BlockState> state) {
        try {
            Optional<BlockState> start = state.isPresent() ? state : fromVolume(id, restore);
            StageTracer.mark("opening", id, start.isPresent());
            Block block = problem.model()
                    .block(
                            problem.decomposition(),
                            id,
                            new Resources(Math.max(1, options().threadsPerBlock()), Long.MAX_VALUE));
            if (problem.steps() > 0 && !(block instanceof SteppedBlock)) {
                throw new IllegalStateException("the model marches in time and the block is a "
                        + block.getClass().getName() + ", which cannot commit a step; this is a defect of the solver");
            }
            if (!incarnation.equals(ownBlocks.get(id))) {
                return; // it was taken away meanwhile
            }
            BlockRunner runner = engine.add(block, incarnation, id, start);
            BlockRunner earlier = runners.put(id, runner);
            if (earlier != null) {
                earlier.stop();
            }
            if (!incarnation.equals(ownBlocks.get(id))) {
                runner.stop();
                runners.remove(id, runner);
                return;
            }
            StageTracer.mark("restored", id, start.map(BlockState::iteration).orElse(0L));
            OptionalLong iteration =
                    start.map(s -> OptionalLong.of(s.iteration())).orElse(OptionalLong.empty());
            events.offer(
                    restore
                            ? new DaemonEvent.BlockRestored(id, incarnation, iteration, runner.step())
                            : new DaemonEvent.BlockOpened(id, incarnation, runner.step()));
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
    private void route(BlockAssignment entry) {
        int other = entry.block();
        directory.put(other, entry);
        for (int neighbor : neighbors(other)) {
            if (ownBlocks.containsKey(neighbor)) {
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

    private OutgoingLink link(int from, int to) {
        return engine.outgoing(from, to, length(from, to));
    }

    /** Values that travel; none where only the other direction has an edge. */
    private int length(int from, int to) {
        return problem.edge(from, to).map(edge -> edge.values().size()).orElse(0);
    }

    private Optional<BlockRunner> runner(int block) {
        return Optional.ofNullable(runners.get(block));
    }

    private void drop(int block, Incarnation incarnation) {
        if (ownBlocks.remove(block, incarnation)) {
            runner(block).filter(r -> r.incarnation().equals(incarnation)).ifPresent(runner -> {
                runner.stop();
                runners.remove(block, runner);
            });
            mesh.removeLinks(block);
            if (scheme == Scheme.ASYNCHRONOUS) { // in lock-step it goes back to what this worker has written
                backups.forget(block);
            }
            generations.remove(block);
        }
    }

    @Override
    public void backedUp(BlockRunner runner, int slot, boolean last, BlockState state, long nanos) {
        backupScheduler.copied(nanos, state.bytes());
        background.run(() -> {
            var _ = backups.put(runner.id(), runner.incarnation(), state, last).whenComplete((done, failure) -> {
                if (failure == null) {
                    runner.backupStored(state.iteration());
                }
                StageTracer.mark(failure == null ? "backed-up" : "not-backed-up", runner.id(), state.iteration());
                events.offer(
                        failure == null
                                ? new DaemonEvent.BackedUp(runner.id(), runner.incarnation(), slot, state.iteration())
                                : new DaemonEvent.BackupFailed(
                                        runner.id(), runner.incarnation(), slot, String.valueOf(failure)));
            });
        });
    }

    @Override
    public void firstIterationDone(BlockRunner runner) {
        StageTracer.mark("iterates", runner.id());
        System.err.println("block " + runner.id() + " iterates");
        try {
            timer.execute(this::sample); // others wait for the report
        } catch (RejectedExecutionException closed) {
            // The worker is ending: no report is due.
        }
    }

    @Override
    public void checkpointed(BlockRunner runner, int slot, long iteration, Optional<BlockState> state, long nanos) {
        if (state.isEmpty()) {
            events.offer(new DaemonEvent.CheckpointTaken(runner.id(), runner.incarnation(), iteration, false));
            return;
        }
        backupScheduler.copied(nanos, state.get().bytes());
        background.run(() -> {
            var _ = backups.putGeneration(slot, runner.id(), runner.incarnation(), state.get())
                    .whenComplete((done, failure) -> {
                        if (failure == null) {
                            runner.backupStored(iteration);
                        }
                        events.offer(new DaemonEvent.CheckpointTaken(
                                runner.id(), runner.incarnation(), iteration, failure == null));
                    });
        });
    }

    @Override
    public void phaseElapsed(BlockRunner runner, int phase, boolean passed) {
        events.offer(new DaemonEvent.PhaseElapsed(runner.id(), runner.incarnation(), phase, passed));
    }

    @Override
    public void tested(BlockRunner runner, long iteration, boolean passed, boolean asked) {
        events.offer(new DaemonEvent.StepTested(runner.id(), runner.incarnation(), iteration, passed, asked));
    }

    @Override
    public void recorded(BlockRunner runner, RecordedCore core) {
        background.run(() -> snapshots.recorded(runner.id(), core));
    }

    @Override
    public void failed(BlockRunner runner, String reason) {
        events.offer(new DaemonEvent.BlockFailed(runner.id(), runner.incarnation(), reason));
    }

    @Override
    public void haloOverdue(int from, int to, int step, long iteration) {
        events.offer(new DaemonEvent.HaloOverdue(from, to, step, iteration));
    }

    @Override
    public void stepCommitted(BlockRunner runner, int step) {
        events.offer(new DaemonEvent.StepCommitted(runner.id(), runner.incarnation(), step));
    }

    @Override
    public void nearlyConverged(BlockRunner runner) {
        var unusedUntilClose = timer.submit(this::sample);
    }

    /** Recorded values arrived; called on an event loop, returns at once. */
    void recordedHalo(RecordedHalo halo) {
        background.run(() -> snapshots.arrived(halo));
    }

    private LinkReports linkReports() {
        return LinkStatistics.of(problem.decomposition(), engine, runners.values());
    }

    @Override
    public void close() {
        parent.links(links.orElseGet(this::linkReports));
        timer.shutdownNow();
        engine.close();
        background.close();
    }
}
