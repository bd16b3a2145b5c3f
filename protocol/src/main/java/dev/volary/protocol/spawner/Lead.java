package dev.volary.protocol.spawner;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Outcome;
import dev.volary.protocol.formation.Planning;
import dev.volary.protocol.rollback.RollbackRules;
import dev.volary.protocol.snapshot.SnapshotRoot;
import dev.volary.protocol.snapshot.SnapshotRules;
import java.util.Optional;

/** What the lead does beside looking after its own group: plans, watches progress, takes snapshots, ends the job. */
final class Lead {
    /** A later lead waits for so many retry periods until daemons have found their new spawners. */
    private static final int GATHERING_RETRIES = 8;

    private final JobShape shape;
    private final JobConfig config;
    private final SnapshotRules rules;
    private final RollbackRules rollbacks;
    private final Planning planning;
    private final JobBoard board = new JobBoard();
    private final long deadlineAt;
    private Optional<SnapshotRoot> root = Optional.empty();
    private Optional<LockStepLead> inStep = Optional.empty();
    private boolean iterating;
    private long reportAt;

    /**
     * @param spawners that are there, at most; after a spawner's death the plan waits for those that are left, and only for a
     *     while for their daemons
     */
    Lead(
            JobShape shape,
            JobConfig config,
            SnapshotRules rules,
            RollbackRules rollbacks,
            int spawners,
            long term,
            long now) {
        this.rollbacks = rollbacks;
        this.shape = shape;
        this.config = config;
        this.rules = rules;
        this.planning = new Planning(
                shape,
                term == 1
                        ? new Planning.Quorum(
                                config.daemons(), config.minimumDaemons(), config.spawners(), config.formationTimeout())
                        : new Planning.Quorum(
                                config.daemons(),
                                1,
                                Math.min(spawners, config.spawners()),
                                config.retry().multipliedBy(GATHERING_RETRIES)),
                config.retry(),
                term,
                now);
        this.deadlineAt = config.deadline().map(d -> now + d.toNanos()).orElse(Long.MAX_VALUE);
        this.reportAt = now + config.reportPeriod().toNanos();
    }

    void received(NodeId from, Message message, Actions out, long now) {
        switch (message) {
            case Message.GroupReport report -> planning.report(report, out);
            case Message.GroupProgress progress -> progress(from, progress);
            case Message.SnapshotGroupPart part -> root.ifPresent(r -> r.part(part, out, now));
            case Message.SnapshotGroupStored stored -> root.ifPresent(r -> r.stored(stored, out, now));
            case Message.SnapshotBroken broken -> root.ifPresent(r -> r.broken(broken, out, now));
            case Message.BlockFailed failed -> fail(failed.reason(), out);
            case Message.StoreFailed failed -> fail(failed.reason(), out);
            case Message.Claim claim -> root.ifPresent(SnapshotRoot::converged);
            case Message.InStep lockStep -> inStep.ifPresent(s -> s.received(lockStep, out, now));
            default -> {}
        }
    }

    void assembled(long sid, Actions out) {
        root.ifPresent(r -> r.assembled(sid, out));
    }

    void fail(String reason, Actions out) {
        out.add(new Action.Finish(new Outcome.Failed(reason)));
    }

    void tick(Actions out, long now) {
        planning.tick(out, now).ifPresent(reason -> fail(reason, out));
        if (root.isEmpty() && planning.plan().isPresent()) {
            Message.Plan plan = planning.plan().get();
            root = Optional.of(new SnapshotRoot(config.detection(), rules, config.retry(), config.finalBound(), plan));
            if (!config.recovery().restartable()) {
                inStep = Optional.of(new LockStepLead(root.get(), rollbacks, config.retry(), plan));
            }
        }
        if (root.isPresent() && !iterating && board.allIterate(shape.blocks().size())) {
            iterating = true;
            out.add(new Action.Emit(new JobEvent.AllIterating()));
            root.get().start(now);
        }
        if (now >= deadlineAt) {
            if (root.isPresent()) {
                root.get().deadline(out, now);
            } else {
                out.add(new Action.Finish(new Outcome.NotConverged(0, Double.POSITIVE_INFINITY)));
            }
        } else {
            out.wakeAt(deadlineAt);
        }
        root.ifPresent(r -> r.tick(out, now));
        inStep.ifPresent(s -> s.tick(out, now));
        if (now >= reportAt) {
            reportAt = now + config.reportPeriod().toNanos();
            if (root.isPresent()) {
                out.add(new Action.Emit(new JobEvent.Progress(board.all())));
            }
        }
        out.wakeAt(reportAt);
    }

    int entries() {
        return planning.entries()
                + board.entries()
                + root.map(SnapshotRoot::entries).orElse(0)
                + inStep.map(LockStepLead::entries).orElse(0);
    }

    private void progress(NodeId from, Message.GroupProgress progress) {
        planning.progress(from);
        board.group(from, progress.daemons());
        root.ifPresent(r -> r.hint(board.largestHint(shape.blocks().size())));
    }
}
