// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A group's part of a snapshot: collects the parts of its blocks, checks the edges inside the group, and hands one part to the
 * leader; then the same for storing. Repeats its requests to daemons until they are answered, and answers the leader's again.
 *
 * <p>A block that changes hands takes no record along: unless its part is durable already, the snapshot is broken, and the leader
 * begins another. A part that is durable counts whatever becomes of its daemon.
 */
public final class GroupSnapshots {
    /** How often parts may be taken back in one snapshot, before the job is given up. */
    static final int MOST_RECHECKS = 50;

    private final JobGraph graph;
    private final BlockDirectory directory;
    private final long retry;
    private final GroupTerm term;
    private final Set<Integer> blocks;
    private final TreeMap<Integer, SnapshotMessage.SnapshotPart> parts = new TreeMap<>();
    private final TreeMap<Integer, SnapshotMessage.StoredPart> stored = new TreeMap<>();
    private int step;
    private long sid;
    private boolean open;
    private boolean storing;
    private boolean broken;
    private int rechecks;
    private long repeatAt = Long.MAX_VALUE;

    /**
     * @param blocks the group's blocks
     * @param directory who serves them
     */
    public GroupSnapshots(
            JobGraph graph, BlockDirectory directory, Duration retry, GroupTerm term, List<Integer> blocks) {
        this.graph = graph;
        this.directory = directory;
        this.retry = retry.toNanos();
        this.term = term;
        this.blocks = new TreeSet<>(blocks);
    }

    /** The leader wants a snapshot, or misses this group's part. */
    public void request(WorkerId leader, int ofStep, long requested, SpawnerTurn turn) {
        if (requested > sid) {
            sid = requested;
            step = ofStep;
            open = true;
            broken = false;
            storing = false;
            rechecks = 0;
            parts.clear();
            stored.clear();
            repeatAt = turn.now();
            tick(turn);
        } else if (requested == sid && broken) {
            turn.send(leader, new SnapshotMessage.Aborted(sid, term));
        } else if (requested == sid && open) {
            answer(leader, turn);
        }
    }

    /** These blocks have other daemons now, which know nothing of the open snapshot. */
    public void replaced(Optional<WorkerId> leader, Collection<Integer> replaced, SpawnerTurn turn) {
        if (open && !stored.keySet().containsAll(replaced)) {
            open = false;
            broken = true;
            parts.clear();
            stored.clear();
            leader.ifPresent(to -> turn.send(to, new SnapshotMessage.Aborted(sid, term)));
        }
    }

    /** A daemon answers for a block. */
    public void part(WorkerId leader, SnapshotMessage.SnapshotPart part, SpawnerTurn turn) {
        int block = part.own().block();
        boolean current = directory
                .find(block)
                .filter(entry -> part.own().incarnation().equals(entry.incarnation()))
                .isPresent();
        if (open && !storing && part.sid() == sid && blocks.contains(block) && current) {
            if (!part.equals(parts.put(block, part)) && parts.size() == blocks.size()) {
                answer(leader, turn);
            }
        }
    }

    /** Blocks of other groups recorded this; parts of this group that used something else are taken back. */
    public void recheck(SnapshotMessage.Reevaluate recheck, SpawnerTurn turn) {
        if (open && recheck.sid() == sid && !storing) {
            recheck(recheck.truth(), turn);
        }
    }

    /** The leader wants the parts stored. */
    public void store(WorkerId leader, long wanted, SpawnerTurn turn) {
        if (broken && wanted == sid) {
            turn.send(leader, new SnapshotMessage.Aborted(sid, term));
        }
        if (!open || wanted != sid || parts.size() < blocks.size()) {
            return;
        }
        if (!storing) {
            storing = true;
            repeatAt = turn.now();
            tick(turn);
        }
        answerStored(leader, turn);
    }

    /** A daemon has stored a part. */
    public void stored(WorkerId leader, SnapshotMessage.SnapshotStored message, SpawnerTurn turn) {
        SnapshotMessage.SnapshotPart part = parts.get(message.part().block());
        if (open
                && storing
                && message.sid() == sid
                && part != null
                && message.part().equals(part.own())) {
            boolean news = stored.put(
                            message.part().block(), new SnapshotMessage.StoredPart(message.part(), message.checksum()))
                    == null;
            if (news) {
                answerStored(leader, turn);
            }
        }
    }

    /** The verdict: forwarded to the daemons. */
    public void close(long closed, Message verdict, SpawnerTurn turn) {
        if (closed >= sid) {
            close(closed);
            directory.sendTo(blocks, verdict, turn);
        }
    }

    /** A step is committed, so that its snapshots are over; the daemons receive the commit separately. */
    public void stepOver(int committed) {
        if (step <= committed) {
            close(sid);
        }
    }

    private void close(long closed) {
        sid = closed;
        open = false;
        broken = false;
        storing = false;
        parts.clear();
        stored.clear();
    }

    /** Repeats requests to daemons that did not answer. */
    public void tick(SpawnerTurn turn) {
        if (!open) {
            return;
        }
        Set<Integer> waiting = new TreeSet<>(blocks);
        waiting.removeAll(storing ? stored.keySet() : parts.keySet());
        if (waiting.isEmpty()) {
            return;
        }
        if (turn.now() >= repeatAt) {
            repeatAt = turn.now() + retry;
            Message request =
                    storing ? new SnapshotMessage.SnapshotStore(sid) : new SnapshotMessage.RecordBlocks(step, sid);
            directory.sendTo(waiting, request, turn);
        }
        turn.wakeAt(repeatAt);
    }

    /** The step that a snapshot belongs to; 0 for a stationary problem, or if it is not the newest one. */
    public int stepOf(long of) {
        return of == sid ? step : 0;
    }

    /** Entries held. */
    public int entries() {
        return blocks.size() + parts.size() + stored.size();
    }

    private void answer(WorkerId leader, SpawnerTurn turn) {
        if (storing || parts.size() < blocks.size()) {
            return;
        }
        List<RecordedBlock> truth =
                parts.values().stream().map(SnapshotMessage.SnapshotPart::own).toList();
        if (recheck(truth, turn)) {
            if (++rechecks > MOST_RECHECKS) {
                RecordedBlock any = truth.getFirst();
                turn.send(
                        leader, new BlockMessage.BlockFailed(any.block(), any.incarnation(), disagreement(sid), true));
            }
            repeatAt = turn.now() + retry;
            turn.wakeAt(repeatAt);
            return;
        }
        Set<RecordedBlock> boundary = new LinkedHashSet<>();
        Set<RecordedBlock> used = new LinkedHashSet<>();
        List<Integer> notFinite = new ArrayList<>();
        PartialResidual residual = PartialResidual.ZERO;
        long iterations = 0;
        long cost = 0;
        for (SnapshotMessage.SnapshotPart part : parts.values()) {
            residual = residual.combine(part.residual());
            iterations += part.iteration();
            cost = Math.max(cost, part.costNanos());
            if (!Double.isFinite(part.residual().bound())) {
                notFinite.add(part.own().block());
            }
            if (!blocks.containsAll(graph.blocks().get(part.own().block()).readers())) {
                boundary.add(part.own());
            }
            part.used().stream().filter(u -> !blocks.contains(u.block())).forEach(used::add);
        }
        turn.send(
                leader,
                new SnapshotMessage.SnapshotGroupPart(
                        sid,
                        term,
                        parts.size(),
                        List.copyOf(boundary),
                        List.copyOf(used),
                        notFinite,
                        residual,
                        iterations,
                        SnapshotDigest.of(truth),
                        cost));
    }

    private void answerStored(WorkerId leader, SpawnerTurn turn) {
        if (stored.size() == blocks.size()) {
            turn.send(leader, new SnapshotMessage.SnapshotGroupStored(sid, term, List.copyOf(stored.values())));
        }
    }

    /** The reason that is reported when parts never agree. */
    static String disagreement(long sid) {
        return "the parts of snapshot " + sid + " still disagree on what their neighbors recorded after "
                + MOST_RECHECKS + " evaluations; look for a worker of another job or version on the same network";
    }

    /** Takes back parts that used something else than {@code truth}; returns whether there were any. */
    private boolean recheck(List<RecordedBlock> truth, SpawnerTurn turn) {
        EdgeCheck edges = new EdgeCheck(truth);
        Set<Integer> wrong = new TreeSet<>();
        Set<RecordedBlock> corrections = new LinkedHashSet<>();
        for (SnapshotMessage.SnapshotPart part : parts.values()) {
            List<RecordedBlock> found = edges.corrections(part.used());
            if (!found.isEmpty()) {
                wrong.add(part.own().block());
                corrections.addAll(found);
            }
        }
        wrong.forEach(parts::remove);
        directory.sendTo(wrong, new SnapshotMessage.Reevaluate(sid, List.copyOf(corrections)), turn);
        return !wrong.isEmpty();
    }
}
