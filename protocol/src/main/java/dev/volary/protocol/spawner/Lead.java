package dev.volary.protocol.spawner;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Outcome;
import dev.volary.protocol.formation.Planning;
import dev.volary.protocol.snapshot.SnapshotRoot;
import dev.volary.protocol.snapshot.SnapshotRules;
import dev.volary.protocol.step.StepLog;
import java.util.List;
import java.util.Optional;

/** What the lead does beside looking after its own group: plans, watches progress, takes snapshots, ends the job. */
final class Lead {
    /** A later lead waits for so many retry periods until daemons have found their new spawners. */
    private static final int GATHERING_RETRIES = 8;

    private final JobShape shape;
    private final JobConfig config;
    private final SnapshotRules rules;
    private final StepLog steps;
    private final Planning planning;
    private final JobBoard board = new JobBoard();
    private final long deadlineAt;
    private Optional<SnapshotRoot> root = Optional.empty();
    private boolean iterating;
    private long reportAt;

    /**
     * @param spawners that are there, at most; after a spawner's death the plan waits for those that are left, and only for a
     *     while for their daemons
     * @param steps the log of committed steps
     */
    Lead(JobShape shape, JobConfig config, SnapshotRules rules, StepLog steps, int spawners, long term, long now) {
        this.shape = shape;
        this.config = config;
        this.rules = rules;
        this.steps = steps;
        this.planning = new Planning(
                shape,
                term == 1
                        ? new Planning.Quorum(
                                config.daemons(), config.minimumDaemons(), config.spawners(), config.formationTimeout())
                        : new Planning.Quorum(
                                config.daemons(),
                                1,
                                Math.min(spawners, config.spawners()),
                                config.retry().multipliedBy(GATHERING_RETRIES),
                                config.formationTimeout()),
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
            default -> {}
        }
    }

    void assembled(long sid, Actions out) {
        root.ifPresent(r -> r.assembled(sid, out));
    }

    /** Takes a snapshot without waiting for its time, unless one is open or not all blocks iterate. */
    void snapshotNow(Actions out, long now) {
        if (iterating) {
            root.ifPresent(r -> r.openNow(out, now));
        }
    }

    /** The newest progress of all daemons. */
    List<Message.DaemonReport> progress() {
        return board.all();
    }

    void fail(String reason, Actions out) {
        out.add(new Action.Finish(new Outcome.Failed(reason)));
    }

    void tick(Actions out, long now) {
        planning.tick(out, now).ifPresent(reason -> fail(reason, out));
        if (root.isEmpty() && planning.plan().isPresent() && (!shape.marches() || steps.isRead())) {
            if (steps.newest()
                    .filter(r -> r.parts().size() < shape.blocks().size())
                    .isPresent()) {
                fail(
                        "StateLost: step " + steps.newest().get().step() + " is committed, but of where its values are"
                                + " only a part is known to those that live; run the job again, with more spawners",
                        out);
                return;
            }
            root = Optional.of(new SnapshotRoot(
                    shape,
                    config.snapshots(),
                    rules,
                    config.retry(),
                    config.finalBound(),
                    planning.plan().get(),
                    steps));
        }
        if (root.isPresent() && !iterating && board.allIterate(shape.blocks().size())) {
            iterating = true;
            out.add(new Action.Emit(new JobEvent.AllIterating()));
            root.get().start(out, now);
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
                + root.map(SnapshotRoot::entries).orElse(0);
    }

    private void progress(NodeId from, Message.GroupProgress progress) {
        planning.progress(from);
        board.group(from, progress.daemons());
        root.ifPresent(r -> {
            r.hint(board.largestHint(shape.blocks().size(), r.step()));
            r.reached(from, board.step(from));
        });
    }
}
