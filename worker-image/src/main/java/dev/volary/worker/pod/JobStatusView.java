// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.v1.BlockStatus;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.Phase;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.WorkerStatus;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.message.ProgressMessage.Backup;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.message.ProgressMessage.DaemonReport;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.spawner.SpawnerView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a spawner in a pod knows of its job, for status requests. Outlives the worker's identities. Safe for use by several threads. */
final class JobStatusView {
    private static final long NEVER_RECEIVED = -1;
    private static final long SNAPSHOT_SECONDS = 60;

    private final ResultSpool spool;
    private final RecentEvents events = new RecentEvents();
    private final RecoveryTimer recoveries;
    private final EndPrediction prediction = new EndPrediction();
    private final Map<WorkerId, Long> lastReceivedAt = new ConcurrentHashMap<>();
    private final List<CompletableFuture<JobEvent.SnapshotClosed>> snapshotWaiters = new ArrayList<>();
    private final List<CompletableFuture<JobEvent.CheckpointSaved>> checkpointWaiters = new ArrayList<>();
    private volatile List<BackupHolder> holders = List.of();
    private Optional<JobEvent.SnapshotClosed> newest = Optional.empty();
    private int replacements;
    /** When the newest checkpoint became durable, since the epoch; 0 for none. */
    private long checkpointAt;

    /** Why the newest attempt after it failed. */
    private Optional<String> checkpointFailure = Optional.empty();
    /** Why the newest attempt to publish the result failed. */
    private String publicationFailure = "";

    JobStatusView(ResultSpool spool, PodMetrics metrics) {
        this.spool = spool;
        this.recoveries = new RecoveryTimer(metrics::recovered);
    }

    void event(JobEvent event) {
        events.add(event, System.currentTimeMillis());
        List<CompletableFuture<JobEvent.SnapshotClosed>> completed = List.of();
        List<CompletableFuture<JobEvent.CheckpointSaved>> saved = List.of();
        synchronized (this) {
            switch (event) {
                case JobEvent.SnapshotClosed closed -> {
                    newest = Optional.of(closed);
                    prediction.snapshotClosed(closed.residual(), System.currentTimeMillis());
                    completed = List.copyOf(snapshotWaiters);
                    snapshotWaiters.clear();
                }
                case JobEvent.StepCommitted step -> {
                    prediction.stepCommitted(step, System.currentTimeMillis());
                    publicationFailure = ""; // the steps before are where the result goes
                }
                case JobEvent.CheckpointSaved checkpoint -> {
                    checkpointAt = System.currentTimeMillis();
                    checkpointFailure = Optional.empty();
                    saved = List.copyOf(checkpointWaiters);
                    checkpointWaiters.clear();
                }
                case JobEvent.CheckpointFailed broken -> checkpointFailure = Optional.of(broken.reason());
                case JobEvent.ResultPublished published -> {
                    publicationFailure = "";
                    recordPublished(published.location());
                }
                case JobEvent.PublicationFailed failed -> publicationFailure = failed.reason();
                case JobEvent.DaemonLost lost -> recoveries.daemonLost(lost, System.nanoTime());
                case JobEvent.GroupTakenOver taken -> recoveries.groupTakenOver(taken, System.nanoTime());
                case JobEvent.BlocksReassigned given -> {
                    replacements += given.blocks().size();
                    recoveries.blocksReassigned(given, System.nanoTime());
                }
                default -> {}
            }
        }
        if (event instanceof JobEvent.SnapshotClosed closed) {
            completed.forEach(one -> one.complete(closed));
        } else if (event instanceof JobEvent.CheckpointSaved checkpoint) {
            saved.forEach(one -> one.complete(checkpoint));
        }
    }

    /** The next snapshot that closes; fails where none closes in time. */
    synchronized CompletableFuture<JobEvent.SnapshotClosed> nextSnapshot() {
        snapshotWaiters.removeIf(CompletableFuture::isDone);
        CompletableFuture<JobEvent.SnapshotClosed> next = new CompletableFuture<>();
        snapshotWaiters.add(next);
        return next.orTimeout(SNAPSHOT_SECONDS, TimeUnit.SECONDS)
                .exceptionallyCompose(late -> CompletableFuture.failedFuture(
                        late instanceof TimeoutException
                                ? new TimeoutException("no snapshot closed within " + SNAPSHOT_SECONDS
                                        + " s: not all blocks iterate; see the job's status")
                                : late));
    }

    /** The next checkpoint that becomes durable; fails where none does in time, with the reason if one is known. */
    synchronized CompletableFuture<JobEvent.CheckpointSaved> nextCheckpoint() {
        checkpointWaiters.removeIf(CompletableFuture::isDone);
        CompletableFuture<JobEvent.CheckpointSaved> next = new CompletableFuture<>();
        checkpointWaiters.add(next);
        return next.orTimeout(SNAPSHOT_SECONDS, TimeUnit.SECONDS)
                .exceptionallyCompose(late -> CompletableFuture.failedFuture(
                        late instanceof TimeoutException ? new TimeoutException(noCheckpoint()) : late));
    }

    private synchronized String noCheckpoint() {
        return "no checkpoint became durable within " + SNAPSHOT_SECONDS + " s: "
                + checkpointFailure.orElse(
                        "not all blocks iterate, or no time step is committed yet; see the job's status");
    }

    void finished(JobOutcome outcome) {
        try {
            spool.recordOutcome(LocalCodec.write(outcome));
        } catch (IOException e) {
            throw new IllegalStateException("the outcome cannot be written down: " + e.getMessage(), e);
        }
    }

    private void recordPublished(String location) {
        try {
            spool.recordPublished(location);
        } catch (IOException e) {
            throw new IllegalStateException("where the result is cannot be written down: " + e.getMessage(), e);
        }
    }

    void receivedFrom(WorkerId peer) {
        lastReceivedAt.put(peer, System.nanoTime());
    }

    void holders(List<BackupHolder> now) {
        holders = List.copyOf(now);
    }

    /** Updates the recovery times: looks whether lost blocks iterate again. */
    void updateRecoveries(SpawnerView view) {
        recoveries.update(view.blocks(), view.progress(), System.nanoTime());
        lastReceivedAt
                .keySet()
                .removeIf(id ->
                        view.daemons().stream().noneMatch(daemon -> daemon.id().equals(id))
                                && view.spawners().stream()
                                        .noneMatch(spawner -> spawner.id().equals(id)));
    }

    /** Whether lost blocks are to be looked for. */
    boolean isRecovering() {
        return recoveries.isRunning();
    }

    /** Whether any worker of this spawner's group keeps copies; a group without daemons does not. */
    boolean hasHolders() {
        return !holders.isEmpty();
    }

    /** Copies of each block that the group can hold. */
    int copiesInForce(JobDescription job) {
        return Math.max(0, Math.min(job.getCopies(), holders.size() - 1));
    }

    /** The answer of a spawner whose machine runs. */
    synchronized StatusReply status(Member self, JobDescription job, SpawnerView view, long eventsSince)
            throws IOException {
        StatusReply.Builder reply = statusAfterEnd(self, job, eventsSince)
                .setTerm(view.term())
                .setBlocks(job.getBlocks())
                .setParkedBlocks(view.parked().size())
                .setIterations(view.progress().stream()
                        .flatMap(report -> report.blocks().stream())
                        .mapToLong(BlockProgress::iteration)
                        .sum());
        view.leader().ifPresent(leader -> reply.setLeader(leader.value()));
        if (!reply.hasOutcome()) {
            reply.setPhase(
                    view.over() ? Phase.PHASE_FINISHED : view.planned() ? Phase.PHASE_RUNNING : Phase.PHASE_FORMING);
            if (view.leads()) {
                prediction.end(view.hasTimeSteps(), job.getAbsoluteTolerance()).ifPresent(reply::setPredictedEndMillis);
            }
        }
        view.spawners().forEach(spawner -> reply.addSpawners(Shapes.write(spawner)));
        Map<WorkerId, DaemonReport> reports = new HashMap<>();
        view.progress().forEach(report -> reports.put(report.daemon(), report));
        for (Member daemon : view.daemons()) {
            reply.addWorkers(worker(daemon, Optional.ofNullable(reports.get(daemon.id()))));
        }
        return reply.build();
    }

    /** The answer of a spawner that only keeps the result of a job. */
    synchronized StatusReply.Builder statusAfterEnd(Member self, JobDescription job, long eventsSince)
            throws IOException {
        StatusReply.Builder reply = StatusReply.newBuilder()
                .setSelf(Shapes.write(self))
                .setJobUid(job.getUid())
                .setResidual(newest.map(JobEvent.SnapshotClosed::residual).orElse(Double.POSITIVE_INFINITY))
                .setSid(newest.map(JobEvent.SnapshotClosed::sid).orElse(0L))
                .setScale(job.getScale())
                .setTolerance(job.getAbsoluteTolerance())
                .setCopiesInForce(copiesInForce(job))
                .setReplacements(replacements)
                .setCheckpointMillis(checkpointAt)
                .setResultFetched(spool.isFetched())
                .setResultReady(spool.isReady())
                .setResultPending(spool.pending().isPresent())
                .setResultLocation(spool.published().orElse(""))
                .setPublicationFailure(publicationFailure)
                .setNextEvent(events.next())
                .addAllEvents(events.since(eventsSince))
                .addSpawners(Shapes.write(self));
        spool.outcome().ifPresent(outcome -> {
            reply.setPhase(Phase.PHASE_FINISHED).setOutcome(outcome);
            if (outcome.hasNotConverged()) {
                reply.setResidual(outcome.getNotConverged().getResidual())
                        .setSid(outcome.getNotConverged().getSid());
            } else if (newest.isEmpty() && outcome.hasCertified()) {
                reply.setResidual(outcome.getCertified().getResidual())
                        .setSid(outcome.getCertified().getSid());
            }
        });
        return reply;
    }

    private WorkerStatus worker(Member daemon, Optional<DaemonReport> report) {
        Long receivedAt = lastReceivedAt.get(daemon.id());
        WorkerStatus.Builder status = WorkerStatus.newBuilder()
                .setMember(Shapes.write(daemon))
                .setPod(daemon.name())
                .setSilentMillis(
                        receivedAt == null
                                ? NEVER_RECEIVED
                                : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - receivedAt));
        List<BlockProgress> blocks = report.map(DaemonReport::blocks).orElse(List.of());
        for (BlockProgress block : blocks) {
            BlockStatus.Builder one = BlockStatus.newBuilder()
                    .setBlock(block.block())
                    .setIncarnation(Shapes.write(block.incarnation()))
                    .setIteration(block.iteration())
                    .setHint(block.hint())
                    .setBackupIteration(block.backup().map(Backup::iteration).orElse(-1L))
                    .setHaloAgeNanos(block.haloAgeNanos())
                    .setHaloAgeIterations(block.haloAgeIterations());
            block.backup().ifPresent(backup -> backup.holders().forEach(holder -> one.addHolders(holder.value())));
            status.addBlocks(one);
        }
        return status.setStandby(blocks.isEmpty()).build();
    }
}
