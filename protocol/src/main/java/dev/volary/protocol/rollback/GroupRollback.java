// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.rollback;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.model.CheckpointGeneration;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A group's share of coordinated checkpoints and rollbacks: passes the leader's orders on to the daemons that serve its blocks,
 * and one answer for all of them back. A worker that waits for an answer repeats its question.
 */
public final class GroupRollback {
    private final long retry;
    private final BlockDirectory directory;
    private final GroupTerm term;
    private final Set<Integer> blocks;
    private final TreeMap<Integer, List<CheckpointGeneration>> held = new TreeMap<>();
    private final Set<Integer> stored = new TreeSet<>();
    private int epoch;
    private boolean due;
    private Optional<RollbackMessage.ResumeFrom> resume = Optional.empty();
    private Optional<RollbackMessage.TakeCheckpoint> order = Optional.empty();
    private boolean broken;
    private long repeatAt;

    /** When the newest checkpoint is complete here for so long that it should be complete everywhere. */
    private long settledAt = Long.MAX_VALUE;

    /**
     * @param directory who serves the blocks
     * @param epoch in which the group gets its blocks
     */
    public GroupRollback(Duration retry, BlockDirectory directory, GroupTerm term, List<Integer> blocks, int epoch) {
        this.retry = retry.toNanos();
        this.directory = directory;
        this.term = term;
        this.blocks = new TreeSet<>(blocks);
        this.epoch = epoch;
    }

    public void received(RollbackMessage.Command message, WorkerId leader, SpawnerTurn turn) {
        switch (message) {
            case RollbackMessage.ResumeFrom chosen -> resume(chosen, turn);
            case RollbackMessage.TakeCheckpoint wanted -> checkpoint(leader, wanted, turn);
        }
    }

    public void received(WorkerId from, RollbackMessage.DaemonReply message, WorkerId leader, SpawnerTurn turn) {
        switch (message) {
            case RollbackMessage.BlockGenerations generations -> held(from, leader, generations, turn);
            case RollbackMessage.CheckpointTaken taken -> checkpointed(leader, taken, turn);
        }
    }

    /** Some blocks have no daemon any more: all blocks must roll back. */
    public void lost(long now) {
        if (!due) {
            due = true;
            repeatAt = now;
        }
    }

    /** Whether blocks without a daemon wait for the leader to begin a new epoch. */
    public boolean isDue() {
        return due;
    }

    /** The epoch in force. */
    public int epoch() {
        return epoch;
    }

    /** The iteration that blocks of this epoch began after. */
    public long base() {
        return resume.flatMap(RollbackMessage.ResumeFrom::from)
                .map(CheckpointGeneration::iteration)
                .orElse(0L);
    }

    /** The leader begins a new epoch; returns whether it is news, so that all blocks must get their daemons under it. */
    public boolean rollback(WorkerId leader, RollbackMessage.BeginEpoch rollback, SpawnerTurn turn) {
        if (rollback.epoch() > epoch) {
            epoch = rollback.epoch();
            due = false;
            held.clear();
            resume = Optional.empty();
            order = Optional.empty();
            settledAt = Long.MAX_VALUE;
            return true;
        }
        if (rollback.epoch() == epoch) {
            answer(leader, turn);
        }
        return false;
    }

    /** What a block's daemon can restore. */
    void held(WorkerId daemon, WorkerId leader, RollbackMessage.BlockGenerations message, SpawnerTurn turn) {
        if (message.epoch() != epoch || !blocks.contains(message.block())) {
            return;
        }
        if (resume.isPresent()) {
            turn.send(daemon, resume.get());
            return;
        }
        held.put(message.block(), message.generations());
        answer(leader, turn);
    }

    /** The leader has chosen. */
    void resume(RollbackMessage.ResumeFrom chosen, SpawnerTurn turn) {
        if (chosen.epoch() == epoch && resume.isEmpty()) {
            resume = Optional.of(chosen);
            held.clear();
            directory.sendTo(blocks, chosen, turn);
        }
    }

    /** The leader wants a checkpoint, or misses this group's answer. */
    void checkpoint(WorkerId leader, RollbackMessage.TakeCheckpoint wanted, SpawnerTurn turn) {
        if (wanted.epoch() != epoch) {
            return;
        }
        if (order.filter(wanted::equals).isEmpty()) {
            order = Optional.of(wanted);
            stored.clear();
            broken = false;
            repeatAt = turn.now();
        }
        answerCheckpoint(leader, turn);
    }

    /** A block's checkpoint is durable, or will not be. */
    void checkpointed(WorkerId leader, RollbackMessage.CheckpointTaken taken, SpawnerTurn turn) {
        if (order.isPresent()
                && taken.epoch() == epoch
                && taken.iteration() == order.get().iteration()
                && blocks.contains(taken.block())) {
            broken |= !taken.stored();
            if (taken.stored() && stored.add(taken.block()) && stored.size() == blocks.size() && !broken) {
                settledAt = Math.min(settledAt, turn.now() + retry);
            }
            answerCheckpoint(leader, turn);
        }
    }

    /**
     * Whether this is the moment, once for a checkpoint, at which rolling back to it costs least: by now the leader has
     * received the answers of all groups. Returns true once.
     */
    public boolean pollSettled(SpawnerTurn turn) {
        if (turn.now() >= settledAt) {
            settledAt = Long.MAX_VALUE;
            return true;
        }
        turn.wakeAt(settledAt);
        return false;
    }

    /** Repeats what was not answered. */
    public void tick(Optional<WorkerId> leader, SpawnerTurn turn) {
        boolean checkpointing = order.isPresent() && !broken && stored.size() < blocks.size();
        boolean finding = resume.isEmpty() && isFound();
        if (!due && !checkpointing && !finding) {
            return;
        }
        if (turn.now() >= repeatAt) {
            repeatAt = turn.now() + retry;
            if (due && leader.isPresent()) {
                turn.send(leader.get(), new RollbackMessage.RollbackRequest(term, epoch));
            }
            if (finding && leader.isPresent()) {
                answer(leader.get(), turn);
            }
            if (checkpointing) {
                Set<Integer> missing = new TreeSet<>(blocks);
                missing.removeAll(stored);
                directory.sendTo(missing, order.get(), turn);
            }
        }
        turn.wakeAt(repeatAt);
    }

    /** Entries held. */
    public int entries() {
        return held.values().stream().mapToInt(g -> 1 + g.size()).sum() + stored.size();
    }

    private boolean isFound() {
        return !blocks.isEmpty() && held.size() == blocks.size();
    }

    private void answer(WorkerId leader, SpawnerTurn turn) {
        if (resume.isEmpty() && isFound()) {
            turn.send(
                    leader,
                    new RollbackMessage.GroupGenerations(term, epoch, CheckpointGeneration.commonTo(held.values())));
        }
    }

    private void answerCheckpoint(WorkerId leader, SpawnerTurn turn) {
        if (order.isPresent() && (broken || stored.size() == blocks.size())) {
            turn.send(
                    leader,
                    new RollbackMessage.GroupCheckpoint(term, epoch, order.get().iteration(), !broken));
        }
    }
}
