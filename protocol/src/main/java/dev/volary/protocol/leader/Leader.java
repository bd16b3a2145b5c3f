// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.directory.GroupOwners;
import dev.volary.protocol.log.ReplicatedLog;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.message.ToLeader;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.placement.JobPlanner;
import dev.volary.protocol.rollback.SynchronousLeader;
import dev.volary.protocol.snapshot.LeaderSnapshots;
import dev.volary.protocol.stepping.StepLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What the leader does beside owning a group: plans, tracks progress, takes snapshots, ends the job. What it decides takes
 * effect once the log holds it, so that a leader that was deposed decides nothing; and what an earlier leader has logged is not
 * decided again.
 */
public final class Leader {
    /** Storage outside of the workers may need somebody to mend it: it gets this many times the patience of a copy. */
    private static final int PUBLICATION_PATIENCE = 10;

    private final JobGraph graph;
    private final SpawnerConfig config;
    private final GroupOwners owners;
    private final DecisionLog decisions;
    private final ReplicatedLog log;
    private final StepLog steps;
    private final JobPlanner planner;
    private final long term;
    private final JobProgress jobProgress = new JobProgress();
    private final Optional<JobClock> clock;
    private final Optional<PartCopies> partCopies;
    private Optional<LeaderSnapshots> snapshots = Optional.empty();
    private Optional<SynchronousLeader> synchronous = Optional.empty();
    private Optional<ResultCopy> resultCopy = Optional.empty();
    private Optional<ResultPublication> publication = Optional.empty();
    private String whyWithdrawn = "";
    private long regroupedAt = -1;
    private long partialUntil = Long.MAX_VALUE;
    private boolean isPlanAnnounced;
    private boolean iterating;
    private long reportAt;

    /**
     * @param self the leader's spawner
     * @param owners which spawner owns which blocks, as the leader's spawner knows it
     * @param steps commits in the log
     * @param spawners that are there, at most
     * @param isFirst whether the job had no leader before, so that nothing is computed yet
     */
    public Leader(
            Member self,
            JobGraph graph,
            SpawnerConfig config,
            ReplicatedLog log,
            StepLog steps,
            GroupOwners owners,
            int spawners,
            boolean isFirst,
            long term,
            long now) {
        this.graph = graph;
        this.config = config;
        this.owners = owners;
        this.log = log;
        this.steps = steps;
        this.term = term;
        this.decisions = new DecisionLog(log);
        this.planner = new JobPlanner(
                graph,
                isFirst
                        ? new JobPlanner.Quorum(
                                config.daemons(), config.minimumDaemons(), config.spawners(), config.formationTimeout())
                        : new JobPlanner.Quorum(
                                config.daemons(),
                                1,
                                Math.min(spawners, config.spawners()),
                                config.gathering(),
                                config.formationTimeout()),
                config.retry(),
                term,
                now);
        this.clock = config.deadline().map(deadline -> new JobClock(deadline, log, now));
        this.partCopies = config.copiesParts() ? Optional.of(new PartCopies(self, config.retry())) : Optional.empty();
        this.reportAt = now + config.reportPeriod().toNanos();
    }

    public void received(WorkerId from, ToLeader message, SpawnerTurn turn) {
        SpawnerTurn decided = turn.child();
        switch (message) {
            case SnapshotMessage.GroupReply m -> snapshots.ifPresent(r -> r.received(m, decided));
            case ProgressMessage.GroupReport report -> {
                planner.report(report);
                if (isPlanAnnounced) {
                    turn.send(from, plan());
                }
            }
            case ProgressMessage.GroupProgress progress -> progress(from, progress);
            case BlockMessage.BlockFailed failed -> {
                if (snapshots.filter(LeaderSnapshots::hasResult).isEmpty()) {
                    fail(failed.reason());
                }
            }
            case SnapshotMessage.StoreFailed failed -> {
                if (snapshots.filter(r -> r.storeFailed(failed, decided)).isEmpty()) {
                    fail(failed.reason());
                }
            }
            case RollbackMessage.GroupReply m -> synchronous.ifPresent(s -> s.received(m, decided));
            case DetectionMessage.Report m -> received(m, decided);
        }
        decisions.take(decided, turn);
    }

    private void received(DetectionMessage.Report message, SpawnerTurn decided) {
        switch (message) {
            case DetectionMessage.TestPassed held -> synchronous.ifPresent(s -> s.held(held, decided));
            case DetectionMessage.GroupTestAnswer answer -> synchronous.ifPresent(s -> s.answered(answer, decided));
            case DetectionMessage.ConvergenceClaim claim -> snapshots.ifPresent(LeaderSnapshots::converged);
        }
    }

    /** Takes what became of recorded parts. */
    public void on(SpawnerEvent.PartEvent event, SpawnerTurn turn) {
        switch (event) {
            case SpawnerEvent.PartsHeld held -> partCopies.ifPresent(c -> c.held(held));
            case SpawnerEvent.PartsNotHeld failed -> partCopies.ifPresent(c -> c.failed(failed, turn.now()));
        }
    }

    /** Takes what became of the result. */
    public void on(SpawnerEvent.ResultEvent event, SpawnerTurn turn) {
        switch (event) {
            case SpawnerEvent.StepAssembled assembled -> assembled(assembled, turn);
            case SpawnerEvent.StepNotKept failed -> notKept(failed, turn);
            case SpawnerEvent.ResultAssembled assembled -> assembled(assembled.sid(), turn);
            case SpawnerEvent.AssemblyFailed failed -> fail(failed.reason());
            case SpawnerEvent.PartsMissing missing -> partsMissing(missing);
            case SpawnerEvent.ResultCopied copied -> resultCopy.ifPresent(c -> c.copied(copied, turn));
            case SpawnerEvent.ResultCopyFailed failed -> resultCopy.ifPresent(c -> c.failed(failed, turn.now()));
            case SpawnerEvent.ResultPublished published -> publication.ifPresent(p -> p.published(published, turn));
            case SpawnerEvent.PublicationFailed failed -> publication.ifPresent(p -> p.failed(failed, turn));
        }
    }

    private void assembled(SpawnerEvent.StepAssembled step, SpawnerTurn turn) {
        SpawnerTurn decided = turn.child();
        snapshots.ifPresent(r -> r.stepAssembled(step.step(), decided));
        decisions.take(decided, turn);
    }

    private void notKept(SpawnerEvent.StepNotKept failed, SpawnerTurn turn) {
        if (snapshots
                .filter(r -> r.stepNotKept(failed.step(), failed.reason(), turn))
                .isPresent()) {
            fail("step " + failed.step() + ", which spec.result.everySteps keeps, cannot be written: "
                    + failed.reason());
        }
    }

    private void assembled(long sid, SpawnerTurn turn) {
        SpawnerTurn decided = turn.child();
        snapshots.ifPresent(r -> r.assembled(sid, config.resultCopies() > 1, decided));
        decisions.take(decided, turn);
    }

    /** Parts of the result are lost before it is complete. */
    private void partsMissing(SpawnerEvent.PartsMissing missing) {
        if (snapshots.filter(r -> r.partsMissing(missing.sid())).isPresent()) {
            decisions.withdraw(missing.sid());
            whyWithdrawn = missing.reason();
        }
    }

    /** Takes a snapshot without waiting for its time, unless one is open or not all blocks iterate. */
    public void snapshotNow(SpawnerTurn turn) {
        if (iterating) {
            snapshots.ifPresent(r -> r.openNow(turn));
        }
    }

    /** The job has been active for this time or longer: its deadline may be nearer than this leader knows. */
    public void activeFor(Duration time, SpawnerTurn turn) {
        clock.ifPresent(c -> c.activeFor(time, turn.now()));
    }

    /** The newest progress of all daemons. */
    public List<ProgressMessage.DaemonReport> progress() {
        return jobProgress.all();
    }

    public void fail(String reason) {
        decisions.end(new JobOutcome.Failed(reason));
    }

    /** A spawner is dead. */
    public void lost(WorkerId spawner) {
        planner.lost(spawner);
        jobProgress.lost(spawner);
        resultCopy.ifPresent(c -> c.lost(spawner));
        partCopies.ifPresent(c -> c.lost(spawner));
    }

    /** @param others living spawners beside this one, in the order in which they are asked to take a copy */
    public void tick(Supplier<List<Member>> others, SpawnerTurn turn) {
        if (log.isDeposed()) {
            return;
        }
        SpawnerTurn decided = turn.child();
        plan(decided);
        if (snapshots.isPresent()) {
            snapshots(decided);
        }
        if (clock.isPresent() && clock.get().isOver(decided)) {
            if (snapshots.isPresent()) {
                snapshots.get().deadline(decided);
            } else if (log.newest(LogEntry.PlanMade.class).isEmpty()) {
                decisions.end(JobOutcome.NotConverged.withoutResult(0));
            }
        }
        snapshots.ifPresent(r -> {
            r.tick(decided);
            keepBest(r, decided);
            copyParts(r, others, decided);
            copy(r, others, decided);
            publish(r, decided);
        });
        synchronous.ifPresent(s -> s.tick(decided));
        if (turn.now() >= reportAt) {
            reportAt = turn.now() + config.reportPeriod().toNanos();
            if (snapshots.isPresent()) {
                decided.emit(new JobEvent.Progress(jobProgress.all()));
            }
        }
        decided.wakeAt(reportAt);
        decisions.take(decided, turn);
        decisions.tick(turn);
        OptionalLong withdrawn = snapshots.isPresent() ? decisions.withdrawn() : OptionalLong.empty();
        if (withdrawn.isPresent()) {
            SpawnerTurn reopened = turn.child();
            reopened.emit(new JobEvent.VerdictWithdrawn(withdrawn.getAsLong(), whyWithdrawn));
            snapshots.orElseThrow().reopen(reopened);
            decisions.take(reopened, turn);
        }
    }

    /** Logs the best answer before the parts of the one before may go, so that it survives this leader. */
    private void keepBest(LeaderSnapshots openSnapshots, SpawnerTurn turn) {
        Optional<LogEntry.AnswerKept> kept = openSnapshots.bestAnswer().map(LogEntry.AnswerKept::new);
        if (kept.isEmpty()) {
            return;
        }
        if (!log.newest(LogEntry.AnswerKept.class).equals(kept)) {
            log.append(kept.get());
        } else if (log.holds(kept.get())) {
            openSnapshots.bestAnswerLogged(turn);
        }
    }

    /** Copies the parts of the newest committed step, or of the best answer, until the result is complete. */
    private void copyParts(LeaderSnapshots openSnapshots, Supplier<List<Member>> others, SpawnerTurn turn) {
        if (partCopies.isEmpty() || openSnapshots.hasResult()) {
            return;
        }
        Optional<PartCopies.Stored> needed = graph.hasTimeSteps()
                ? openSnapshots.committed().map(record -> new PartCopies.Stored(record.sid(), record.parts()))
                : openSnapshots.bestAnswer().map(answer -> new PartCopies.Stored(answer.sid(), answer.parts()));
        needed.ifPresent(stored -> partCopies.get().tick(stored, others.get(), turn));
    }

    /** Copies a complete result that needs a copy. */
    private void copy(LeaderSnapshots openSnapshots, Supplier<List<Member>> others, SpawnerTurn turn) {
        OptionalLong sid = openSnapshots.snapshotToCopy();
        if (sid.isEmpty()) {
            return;
        }
        if (resultCopy.filter(c -> c.sid() == sid.getAsLong()).isEmpty()) {
            resultCopy =
                    Optional.of(new ResultCopy(sid.getAsLong(), config.retry(), config.copyPatience(), turn.now()));
        }
        if (resultCopy.get().tick(others.get(), turn)) {
            openSnapshots.copied(turn);
        }
    }

    /** Brings a complete result to the storage that the job names. */
    private void publish(LeaderSnapshots openSnapshots, SpawnerTurn turn) {
        OptionalLong sid = openSnapshots.snapshotToPublish();
        if (sid.isEmpty()) {
            return;
        }
        if (publication.filter(p -> p.sid() == sid.getAsLong()).isEmpty()) {
            publication = Optional.of(new ResultPublication(
                    sid.getAsLong(), config.copyPatience().multipliedBy(PUBLICATION_PATIENCE), turn.now()));
        }
        if (publication.get().tick(turn)) {
            openSnapshots.published(turn);
        }
    }

    public int entries() {
        return planner.entries()
                + jobProgress.entries()
                + partCopies.map(PartCopies::entries).orElse(0)
                + snapshots.map(LeaderSnapshots::entries).orElse(0)
                + synchronous.map(SynchronousLeader::entries).orElse(0);
    }

    private void plan(SpawnerTurn turn) {
        Optional<LogEntry.PlanMade> logged = log.newest(LogEntry.PlanMade.class);
        if (logged.isEmpty() && owners.entries() == graph.blocks().size()) {
            // The log is lost with all of its members, but groups there are.
            log.append(new LogEntry.PlanMade(new TakeoverMessage.Plan(term, owners.groups())));
        } else if (logged.isEmpty()) {
            planner.tick(turn).ifPresent(this::fail);
            planner.plan().ifPresent(plan -> log.append(new LogEntry.PlanMade(plan)));
        } else if (isPlanAnnounced) {
            planner.tick(turn);
        } else if (log.holds(logged.get())) {
            isPlanAnnounced = true;
            // A spawner that took part in the plan may have been declared dead since, and forgotten.
            logged.get().plan().groups().forEach(group -> turn.add(new WorkerAction.AddPeer(group.spawner())));
            if (planner.plan().isPresent()) {
                planner.announce(turn);
            }
            snapshots = Optional.of(new LeaderSnapshots(
                    graph, config.detection(graph), config.retry(), config.finalBound(), plan(), steps));
            if (config.rollsBack(graph)) {
                synchronous = Optional.of(new SynchronousLeader(snapshots.get(), config.retry(), plan()));
            }
            // An inherited plan may name owners that this spawner does not know, or that died before it started.
            logged.get()
                    .plan()
                    .groups()
                    .forEach(group -> owners.claimed(group.term(), group.spawner(), group.blocks()));
            plan().groups().forEach(group -> turn.add(new WorkerAction.AddPeer(group.spawner())));
            Optional<LogEntry.VerdictWithdrawn> withdrawn = log.newest(LogEntry.VerdictWithdrawn.class);
            log.newest(LogEntry.AnswerKept.class)
                    .map(LogEntry.AnswerKept::answer)
                    .filter(answer ->
                            withdrawn.filter(of -> of.sid() == answer.sid()).isEmpty())
                    .ifPresent(answer -> snapshots.get().resume(answer));
            log.newest(LogEntry.SnapshotVerdict.class)
                    .filter(verdict ->
                            withdrawn.filter(of -> log.isAfter(of, verdict)).isEmpty())
                    .ifPresent(verdict -> snapshots.get().resume(verdict, turn));
        }
    }

    private void snapshots(SpawnerTurn turn) {
        LeaderSnapshots openSnapshots = snapshots.orElseThrow();
        if (owners.version() != regroupedAt) {
            regroupedAt = owners.version();
            TakeoverMessage.Plan plan = plan();
            if (openSnapshots.regrouped(plan.groups(), turn)) {
                synchronous.ifPresent(s -> s.regrouped(plan, turn));
            }
        }
        if (!iterating && jobProgress.allIterate(graph.blocks().size()) && knowsLastStep(turn)) {
            iterating = true;
            turn.emit(new JobEvent.AllIterating());
            openSnapshots.start(turn);
        }
    }

    /**
     * Whether it is known where all values of the last commit are. With the log lost, that adds up from the reports of daemons.
     */
    private boolean knowsLastStep(SpawnerTurn turn) {
        Optional<CommittedStep> partial = steps.newest()
                .filter(record -> record.parts().size() < graph.blocks().size());
        if (partial.isEmpty()) {
            return true;
        }
        if (partialUntil == Long.MAX_VALUE) {
            partialUntil = turn.now() + config.formationTimeout().toNanos();
        }
        if (turn.now() >= partialUntil) {
            fail("StateLost: step " + partial.get().step() + " is committed, but of where its values are only a part is"
                    + " known to those that live; run the job again, with more spawners");
        } else {
            turn.wakeAt(partialUntil);
        }
        return false;
    }

    /** The groups as they are now: those of the plan that have not changed hands since, and the others. */
    private TakeoverMessage.Plan plan() {
        List<TakeoverMessage.GroupPlan> first = log.newest(LogEntry.PlanMade.class)
                .map(made -> made.plan().groups())
                .orElse(List.of());
        List<TakeoverMessage.GroupPlan> now = owners.groups();
        if (now.isEmpty()) {
            return new TakeoverMessage.Plan(term, first);
        }
        Map<TakeoverMessage.GroupPlan, TakeoverMessage.GroupPlan> unchanged =
                first.stream().collect(Collectors.toMap(group -> owned(group), group -> group, (a, b) -> a));
        return new TakeoverMessage.Plan(
                term,
                now.stream().map(group -> unchanged.getOrDefault(group, group)).toList());
    }

    private static TakeoverMessage.GroupPlan owned(TakeoverMessage.GroupPlan group) {
        return new TakeoverMessage.GroupPlan(group.term(), group.spawner(), group.blocks(), 0);
    }

    private void progress(WorkerId from, ProgressMessage.GroupProgress progress) {
        planner.progress(from);
        jobProgress.update(from, progress.daemons());
        snapshots.ifPresent(r -> {
            r.setLargestHint(jobProgress.largestHint(graph.blocks().size(), r.step()));
            r.reached(from, jobProgress.step(from));
        });
    }
}
