// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A daemon's side of a snapshot (docs/explanation/certification.md, "the protocol"): record at the next iteration boundary,
 * send the recorded values to the readers, evaluate once all sources are there, answer for the parts until the verdict.
 *
 * <p>A worker that waits for an answer repeats its request, so everything here answers a repeated request again.
 */
public final class DaemonSnapshots {

    /** One block's record in the newest snapshot. */
    private static final class Held {
        private final TreeMap<Integer, RecordedBlock> halos = new TreeMap<>();
        private final TreeMap<Integer, RecordedBlock> truth = new TreeMap<>();
        private @Nullable RecordedBlock own;
        private long iteration;
        private @Nullable List<RecordedBlock> evaluating;
        private SnapshotMessage.@Nullable SnapshotPart part;
        private boolean storing;
        private @Nullable Message stored;
    }

    private final WorkerId self;
    private final JobGraph graph;
    private final BlockDirectory directory;
    private final long retry;
    private final TreeMap<Integer, Held> records = new TreeMap<>();
    /** The steps that the blocks are in. */
    private final TreeMap<Integer, Integer> steps = new TreeMap<>();

    private Optional<WorkerId> spawner = Optional.empty();
    private int step;
    private long sid;
    private boolean open;
    private long askAt;

    /** Of the daemon {@code self}; lost recorded halos are asked for again after {@code retry}. */
    public DaemonSnapshots(WorkerId self, JobGraph graph, BlockDirectory directory, Duration retry) {
        this.self = self;
        this.graph = graph;
        this.directory = directory;
        this.retry = retry.toNanos();
    }

    /** To whom parts are sent. */
    public void reportTo(WorkerId owner) {
        spawner = Optional.of(owner);
    }

    /** A block of this daemon is open: it takes part from now on, in snapshots of this step. */
    public void blockOpened(int block, int inStep, DaemonTurn turn) {
        records.put(block, new Held());
        stepTaken(block, inStep, turn);
    }

    /** A block is in another step. What is recorded for a step, and evaluated, belongs to the equations of that step. */
    public void stepTaken(int block, int inStep, DaemonTurn turn) {
        steps.put(block, inStep);
        if (open && inStep == step) {
            turn.add(new DaemonAction.RecordBlock(sid, block));
        }
    }

    /** A block is no longer served here. */
    public void blockDropped(int block) {
        records.remove(block);
        steps.remove(block);
    }

    /** A step is committed: its snapshots are over. */
    public void stepOver(int committed, DaemonTurn turn) {
        if (open && step <= committed) {
            close(sid, false, turn);
        }
    }

    /** Takes what this daemon's blocks, and those that they read, have recorded, evaluated and stored. */
    public void on(DaemonEvent.SnapshotEvent event, DaemonTurn turn) {
        switch (event) {
            case DaemonEvent.BlockRecorded recorded -> recorded(recorded, turn);
            case DaemonEvent.RecordedHaloArrived arrived -> haloArrived(arrived, turn);
            case DaemonEvent.RecordedHaloMissing lost -> haloLost(lost, turn.now());
            case DaemonEvent.PartEvaluated evaluated -> evaluated(evaluated, turn);
            case DaemonEvent.PartStored stored -> stored(stored, turn);
            case DaemonEvent.StoreFailed broken -> storeBroken(broken, turn);
        }
    }

    /** The leader wants a snapshot, or misses a part of it. */
    public void request(int ofStep, long requested, DaemonTurn turn) {
        if (requested > sid) {
            join(ofStep, requested, turn);
        } else if (requested == sid && open) {
            for (Held record : records.values()) {
                if (record.part != null) {
                    report(record.part, turn);
                }
            }
        }
    }

    /** A block's core was copied. */
    private void recorded(DaemonEvent.BlockRecorded event, DaemonTurn turn) {
        RecordedBlock own = event.own();
        Held record = records.get(own.block());
        if (!isOpen(event.sid()) || record == null || own.equals(record.own)) {
            return;
        }
        record.own = own;
        record.iteration = event.iteration();
        for (int reader : graph.blocks().get(own.block()).readers()) {
            if (records.containsKey(reader)) {
                source(reader, own, turn);
            } else {
                turn.add(new DaemonAction.SendRecordedHalo(sid, own.block(), reader));
            }
        }
        for (int source : graph.blocks().get(own.block()).sources()) {
            Held neighbor = records.get(source);
            if (neighbor != null && neighbor.own != null) {
                record.halos.put(source, neighbor.own);
            }
        }
        evaluate(own.block(), record, turn);
    }

    /** The recorded values of a source arrived: joins lazily if this is the first news of the snapshot. */
    private void haloArrived(DaemonEvent.RecordedHaloArrived event, DaemonTurn turn) {
        if (event.sid() > sid) {
            join(event.step(), event.sid(), turn);
        }
        if (isOpen(event.sid()) && records.containsKey(event.to())) {
            source(event.to(), event.source(), turn);
        }
    }

    /** Recorded values that an evaluation needs are lost: they are asked for again at the next tick. */
    private void haloLost(DaemonEvent.RecordedHaloMissing event, long now) {
        Held record = records.get(event.to());
        if (isOpen(event.sid())
                && record != null
                && event.source().equals(record.halos.get(event.source().block()))) {
            record.halos.remove(event.source().block());
            record.evaluating = null;
            record.part = null;
            askAt = now;
        }
    }

    /** A reader misses recorded values of this daemon. */
    public void haloRequested(SnapshotMessage.SnapshotHaloRequest request, DaemonTurn turn) {
        if (request.sid() > sid) {
            if (!graph.hasTimeSteps()) {
                join(0, request.sid(), turn);
            }
            return;
        }
        Held record = records.get(request.from());
        if (isOpen(request.sid()) && record != null && record.own != null) {
            turn.add(new DaemonAction.SendRecordedHalo(sid, request.from(), request.to()));
        }
    }

    /** A residual was evaluated. */
    private void evaluated(DaemonEvent.PartEvaluated event, DaemonTurn turn) {
        Held record = records.get(event.own().block());
        if (!isOpen(event.sid()) || record == null || !event.own().equals(record.own)) {
            return;
        }
        if (event.used().equals(record.evaluating)) {
            record.evaluating = null;
            record.part = new SnapshotMessage.SnapshotPart(
                    sid, event.own(), event.used(), event.residual(), record.iteration, event.costNanos());
            report(record.part, turn);
        }
    }

    /** Parts that used something else than these records are evaluated again. */
    public void recheck(SnapshotMessage.Reevaluate recheck, DaemonTurn turn) {
        if (!isOpen(recheck.sid())) {
            return;
        }
        records.forEach((block, record) -> {
            for (RecordedBlock truth : recheck.truth()) {
                if (!graph.blocks().get(block).sources().contains(truth.block())) {
                    continue;
                }
                record.truth.put(truth.block(), truth);
                RecordedBlock used = record.halos.get(truth.block());
                if (used != null && !used.equals(truth)) {
                    record.halos.remove(truth.block());
                    record.evaluating = null;
                    record.part = null;
                }
            }
        });
        askAt = turn.now();
        tick(turn);
    }

    /** The snapshot is good enough: its parts go into the result sink. */
    public void store(long wanted, DaemonTurn turn) {
        if (!isOpen(wanted)) {
            return;
        }
        records.forEach((block, record) -> {
            if (record.stored != null) {
                report(record.stored, turn);
            } else if (record.part != null && !record.storing) {
                record.storing = true;
                turn.add(new DaemonAction.StorePart(sid, block));
            }
        });
    }

    /** A part is durable. */
    private void stored(DaemonEvent.PartStored event, DaemonTurn turn) {
        Held record = records.get(event.own().block());
        if (isOpen(event.sid()) && record != null && event.own().equals(record.own)) {
            record.stored = new SnapshotMessage.SnapshotStored(sid, event.own(), event.checksum());
            report(record.stored, turn);
        }
    }

    /** What is durable of the newest snapshot, while its end is not known; its residual is not known either. */
    public Optional<CommittedStep> stored() {
        List<SnapshotMessage.StoredPart> parts = new ArrayList<>();
        for (Held record : records.values()) {
            if (open && record.stored instanceof SnapshotMessage.SnapshotStored there) {
                parts.add(new SnapshotMessage.StoredPart(there.part(), there.checksum()));
            }
        }
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(new CommittedStep(step, sid, Double.POSITIVE_INFINITY, parts));
    }

    /** A part cannot be stored. */
    private void storeBroken(DaemonEvent.StoreFailed event, DaemonTurn turn) {
        Held record = records.get(event.block());
        if (isOpen(event.sid()) && record != null) {
            record.stored = new SnapshotMessage.StoreFailed(sid, event.block(), event.reason(), event.isTemporary());
            report(record.stored, turn);
        }
    }

    /** Not yet: the records are dropped. */
    public void discard(long closed, DaemonTurn turn) {
        close(closed, true, turn);
    }

    private void close(long closed, boolean isRefused, DaemonTurn turn) {
        if (closed >= sid) {
            if (isOpen(closed)) {
                turn.add(new DaemonAction.DropRecord(closed, isRefused));
            }
            sid = closed;
            open = false;
            clear();
        }
    }

    /** Asks for recorded halos that did not come. */
    public void tick(DaemonTurn turn) {
        if (!open) {
            return;
        }
        boolean missing = false;
        boolean due = turn.now() >= askAt;
        if (due) {
            askAt = turn.now() + retry;
        }
        for (Map.Entry<Integer, Held> entry : records.entrySet()) {
            if (entry.getValue().own == null) {
                continue;
            }
            for (int source : graph.blocks().get(entry.getKey()).sources()) {
                if (!entry.getValue().halos.containsKey(source) && !records.containsKey(source)) {
                    missing = true;
                    Optional<WorkerId> owner = directory.daemonOf(source).filter(id -> !id.equals(self));
                    if (due && owner.isPresent()) {
                        turn.send(owner.get(), new SnapshotMessage.SnapshotHaloRequest(sid, source, entry.getKey()));
                    }
                }
            }
        }
        if (missing) {
            turn.wakeAt(askAt);
        }
    }

    /** Entries held. */
    public int entries() {
        return records.values().stream()
                .mapToInt(r -> 2 + r.halos.size() + r.truth.size())
                .sum();
    }

    private boolean isOpen(long of) {
        return open && of == sid;
    }

    private void join(int ofStep, long newest, DaemonTurn turn) {
        step = ofStep;
        sid = newest;
        open = true;
        askAt = turn.now() + retry;
        clear();
        records.keySet().stream()
                .filter(block -> steps.getOrDefault(block, 0) == step)
                .forEach(block -> turn.add(new DaemonAction.RecordBlock(newest, block)));
        turn.wakeAt(askAt);
    }

    private void clear() {
        records.replaceAll((block, record) -> new Held());
    }

    /** Keeps what a block shall use of a source: the newest incarnation's, or what the leader said it must be. */
    private void source(int reader, RecordedBlock source, DaemonTurn turn) {
        Held record = records.get(reader);
        if (record == null || !graph.blocks().get(reader).sources().contains(source.block())) {
            return;
        }
        RecordedBlock truth = record.truth.get(source.block());
        RecordedBlock known = record.halos.get(source.block());
        boolean wrong = truth != null && source.incarnation().equals(truth.incarnation()) && !source.equals(truth);
        boolean older = known != null && source.incarnation().compareTo(known.incarnation()) < 0;
        boolean fenced = directory
                .find(source.block())
                .filter(entry -> source.incarnation().compareTo(entry.incarnation()) < 0)
                .isPresent();
        if (wrong || older || fenced || source.equals(known)) {
            return;
        }
        record.halos.put(source.block(), source);
        record.evaluating = null;
        record.part = null;
        evaluate(reader, record, turn);
    }

    private void evaluate(int block, Held record, DaemonTurn turn) {
        List<Integer> sources = graph.blocks().get(block).sources();
        if (record.own == null || !record.halos.keySet().containsAll(sources)) {
            return;
        }
        List<RecordedBlock> used = new ArrayList<>();
        for (int source : sources) {
            used.add(record.halos.get(source));
        }
        if (!used.equals(record.evaluating)) {
            record.evaluating = List.copyOf(used);
            turn.add(new DaemonAction.EvaluatePart(sid, block, used));
        }
    }

    private void report(Message message, DaemonTurn turn) {
        spawner.ifPresent(owner -> turn.send(owner, message));
    }
}
