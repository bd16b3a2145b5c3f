// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.mesh.Mesh;
import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.job.IterationPace;
import dev.volary.mesh.job.ProtocolSettings;
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
import dev.volary.protocol.message.ProgressMessage.DaemonReport;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.Scheme;
import dev.volary.worker.checkpoint.JobCheckpoints;
import dev.volary.worker.compute.BlockRunner;
import dev.volary.worker.compute.ComputeEngine;
import dev.volary.worker.compute.RecordedCore;
import dev.volary.worker.result.PartRepository;
import dev.volary.worker.runtime.BackgroundExecutor;
import dev.volary.worker.runtime.HostChannel;
import dev.volary.worker.runtime.OpenedProblem;
import dev.volary.worker.runtime.RoleRuntime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Carries out the actions of a daemon's machine: opens blocks, computes them, and takes part in snapshots. */
public final class DaemonRuntime implements RoleRuntime<DaemonEvent, DaemonTurn> {
    private final JobDescription job;
    private final OpenedProblem problem;
    private final Mesh mesh;
    private final HostChannel parent;
    private final DaemonEventAdapter events;
    private final BlockBackups backups;
    private final Runnable onEvicted;
    private final Scheme scheme;
    private final BackgroundExecutor background;
    private final BackgroundExecutor backupWriter;
    private final BackgroundExecutor openings;
    private final BackupScheduler backupScheduler;
    private final ProgressSampler sampler;
    private final ComputeEngine engine;
    private final SnapshotEvaluator snapshots;
    private final HostedBlocks blocks;
    /** The warm-up of a standby; used on the control loop only. */
    private Optional<StandbyWarmup> warmUp = Optional.empty();
    /** Of each block when it was recorded for the newest snapshot. */
    private final Map<Integer, BlockProgress> recorded = new ConcurrentHashMap<>();
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
        this.job = job;
        this.problem = problem;
        this.mesh = mesh;
        this.parent = parent;
        this.events = events;
        this.backups = backups;
        this.onEvicted = onEvicted;
        this.scheme = LocalCodec.read(job.getScheme());
        Consumer<Throwable> onFailure = broken -> {
            broken.printStackTrace();
            parent.failure("%s failed in the background: %s; see its log"
                    .formatted(mesh.self().name(), broken));
        };
        this.background = new BackgroundExecutor(onFailure);
        this.backupWriter = new BackgroundExecutor("backup-writer", 1, onFailure);
        this.openings = new BackgroundExecutor("opening", options().threads(), onFailure);
        this.backupScheduler =
                BackupScheduler.of(job, problem.decomposition().unknowns().size(), System.nanoTime());
        Map<Integer, BlockRunner> runners = new ConcurrentHashMap<>();
        this.sampler = new ProgressSampler(runners.values(), backups, backupScheduler, events, parent);
        this.engine = new ComputeEngine(
                problem.model(),
                problem.decomposition(),
                mesh,
                options(),
                new RunnerEvents(events, background, backupWriter, backups, backupScheduler, sampler, this::recorded),
                broken -> parent.failure(
                        "%s failed computing: %s".formatted(mesh.self().name(), broken)));
        PartRepository results = parent.partRepository(job);
        this.snapshots = new SnapshotEvaluator(
                problem.decomposition(),
                volume.map(v -> v.partRepository(results)).orElse(results),
                runners,
                engine,
                events);
        this.blocks = new HostedBlocks(
                problem, mesh, events, options(), engine, background, openings, backups, volume, runners);
    }

    private void recorded(RecordedCore core) {
        int block = core.name().block();
        blocks.runner(block)
                .ifPresent(runner -> recorded.put(block, runner.progress(System.nanoTime(), backups.holders(block))));
        snapshots.recorded(core);
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
        sampler.start();
        return new DaemonMachine(self, graph, ProtocolSettings.daemon(job), job.getSeed());
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
            case DaemonAction.OpenBlock(int block, Incarnation incarnation) -> {
                endWarmUp();
                blocks.open(block, incarnation);
            }
            case DaemonAction.RestoreBlock(int block, Incarnation incarnation, var known) -> {
                endWarmUp();
                backupScheduler.tookOver();
                blocks.restore(block, incarnation, known);
            }
            case DaemonAction.FindGenerations(int block, Incarnation incarnation) -> {
                endWarmUp();
                blocks.findGenerations(block, incarnation);
            }
            case DaemonAction.ResumeBlock(int block, Incarnation incarnation, var from) ->
                blocks.resume(block, incarnation, from);
            case DaemonAction.CheckpointBlock(int block, Incarnation incarnation, int slot, long iteration) ->
                blocks.synchronousRunner(block, incarnation).ifPresent(runner -> runner.checkpoint(slot, iteration));
            case DaemonAction.BeginPhase(int block, Incarnation incarnation, int phase) ->
                blocks.asynchronousRunner(block, incarnation).ifPresent(runner -> runner.enter(phase));
            case DaemonAction.TestStep(int block, Incarnation incarnation, long iteration) ->
                blocks.synchronousRunner(block, incarnation).ifPresent(runner -> runner.test(iteration));
            case DaemonAction.ReleaseBlock(int block, Incarnation incarnation, long iteration) ->
                blocks.synchronousRunner(block, incarnation).ifPresent(runner -> runner.release(iteration));
            case DaemonAction.BackUp request -> blocks.backUp(request);
            case DaemonAction.RouteBlock(BlockAssignment entry) -> blocks.route(entry);
            case DaemonAction.PublishHalo(int from, int to) ->
                blocks.link(from, to).resend();
            case DaemonAction.ResendHalo(int from, int to, int step, long iteration) -> {
                boolean ignored = blocks.link(from, to).resend(step, iteration);
            }
            case DaemonAction.StartBlock(int block, Incarnation incarnation) ->
                blocks.runner(block).ifPresent(BlockRunner::start);
            case DaemonAction.DropBlock(int block, Incarnation incarnation, boolean leavesBackup) ->
                blocks.drop(block, incarnation, leavesBackup);
            case DaemonAction.RecordBlock(long sid, int block) ->
                blocks.runner(block).ifPresent(runner -> runner.record(sid));
            case DaemonAction.SendRecordedHalo(long sid, int from, int to) ->
                background.run(() -> snapshots.send(sid, from, to));
            case DaemonAction.EvaluatePart(long sid, int block, var used) ->
                background.run(() -> snapshots.evaluate(sid, block, used));
            case DaemonAction.StorePart(long sid, int block) -> background.run(() -> snapshots.store(sid, block));
            case DaemonAction.DropRecord(long sid, boolean isRefused) -> {
                background.run(() -> snapshots.drop(sid));
                if (isRefused) {
                    blocks.notCertified();
                }
            }
            case DaemonAction.CommitStep commit -> background.run(() -> snapshots.commit(commit, blocks::isSearched));
            case DaemonAction.StopComputing() -> {
                blocks.stop();
                links = Optional.of(linkReports());
                parent.stopped();
            }
            case DaemonAction.Exit() -> restart();
        }
    }

    @Override
    public void restart() {
        blocks.stop();
        onEvicted.run();
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

    /** Recorded values arrived; called on an event loop, returns at once. */
    void recordedHalo(RecordedHalo halo) {
        background.run(() -> snapshots.arrived(halo));
    }

    private LinkReports linkReports() {
        return LinkStatistics.of(problem.decomposition(), engine, blocks.runners());
    }

    private DaemonReport recordedBlocks() {
        List<BlockProgress> served = blocks.runners().stream()
                .flatMap(runner -> Optional.ofNullable(recorded.get(runner.id()))
                        .filter(progress -> progress.incarnation().equals(runner.incarnation()))
                        .stream())
                .toList();
        return new DaemonReport(mesh.self().id(), served);
    }

    @Override
    public void close() {
        parent.links(links.orElseGet(this::linkReports));
        parent.recorded(recordedBlocks());
        sampler.close();
        engine.close();
        background.close();
        backupWriter.close();
        openings.close();
    }
}
