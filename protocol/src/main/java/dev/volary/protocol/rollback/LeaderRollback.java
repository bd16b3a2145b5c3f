// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.rollback;

import dev.volary.protocol.directory.Epochs;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.CheckpointGeneration;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The leader's side of coordinated checkpoints and rollbacks. At most one checkpoint is open, and it goes into the slot that
 * does not hold the newest complete one: of the two that are kept the older one is given up only when the newer is durable for
 * every block.
 *
 * <p>A rollback begins a new epoch. Every group reports which checkpoints all of its blocks can restore; the newest that is
 * common to all is what they roll back to, else the start. So nothing must be remembered over the death of a leader, and a
 * checkpoint whose holders are dead is not chosen.
 */
public final class LeaderRollback {
    /**
     * Checkpoints are taken after multiples of this: blocks that measure their hint only every so many iterations, at most
     * eight, measure it after a rollback in the same iterations as before it.
     */
    private static final int ALIGNED = 24;

    private static final int MOST_DOUBLINGS = 4;

    private final long retry;
    private final TreeMap<GroupTerm, WorkerId> groups = new TreeMap<>();
    private final TreeMap<GroupTerm, List<CheckpointGeneration>> found = new TreeMap<>();
    private final Set<GroupTerm> stored = new TreeSet<>();
    private int epoch;
    private boolean finding;
    private Optional<RollbackMessage.ResumeFrom> resume = Optional.empty();
    private Optional<RollbackMessage.TakeCheckpoint> order = Optional.empty();
    private Optional<Integer> complete = Optional.empty();
    private int misses;
    private long repeatAt;

    /**
     * Of a leader that has this plan. A later leader than the first does not know which requests are open: it begins with a
     * rollback.
     */
    public LeaderRollback(Duration retry, TakeoverMessage.Plan plan) {
        this.retry = retry.toNanos();
        this.epoch = Epochs.first(plan.leaderTerm());
        this.finding = plan.leaderTerm() > 1;
        owners(plan);
    }

    private void owners(TakeoverMessage.Plan plan) {
        groups.clear();
        plan.groups().stream()
                .filter(group -> !group.blocks().isEmpty())
                .forEach(group -> groups.put(group.term(), group.spawner().id()));
    }

    /** Groups have changed hands. Requests to their former owners stay unanswered, so a rollback begins. */
    public void regrouped(TakeoverMessage.Plan plan, SpawnerTurn turn) {
        owners(plan);
        begin(turn);
    }

    /** The epoch in force. */
    public int epoch() {
        return epoch;
    }

    /** A group has lost a block's daemon; returns whether a rollback begins. */
    public boolean requested(RollbackMessage.RollbackRequest due, SpawnerTurn turn) {
        if (due.epoch() != epoch || !groups.containsKey(due.term())) {
            return false;
        }
        begin(turn);
        return true;
    }

    private void begin(SpawnerTurn turn) {
        epoch++;
        finding = true;
        found.clear();
        resume = Optional.empty();
        order = Optional.empty();
        stored.clear();
        repeatAt = turn.now();
        tick(turn);
    }

    /** What a group can restore. */
    public void found(RollbackMessage.GroupGenerations held, SpawnerTurn turn) {
        WorkerId owner = groups.get(held.term());
        if (held.epoch() != epoch || owner == null) {
            return;
        }
        if (resume.isPresent()) {
            turn.send(owner, resume.get());
            return;
        }
        found.put(held.term(), held.generations());
        if (finding && found.size() == groups.size()) {
            Optional<CheckpointGeneration> newest = CheckpointGeneration.commonTo(found.values()).stream()
                    .max(Comparator.comparingLong(CheckpointGeneration::iteration)
                            .thenComparingInt(CheckpointGeneration::epoch));
            finding = false;
            complete = newest.map(CheckpointGeneration::slot);
            resume = Optional.of(new RollbackMessage.ResumeFrom(epoch, newest));
            groups.values().forEach(id -> turn.send(id, resume.get()));
            found.clear();
            long iteration = newest.map(CheckpointGeneration::iteration).orElse(0L);
            turn.emit(new JobEvent.RolledBack(epoch, iteration));
        }
    }

    /** A daemon reports that a checkpoint is worth its cost. */
    public void checkpointDue(RollbackMessage.CheckpointDue due, SpawnerTurn turn) {
        if (due.epoch() != epoch || finding || order.isPresent()) {
            return;
        }
        long soonest = due.iteration() + (due.ahead() << Math.min(misses, MOST_DOUBLINGS));
        long at = (soonest / ALIGNED + 1) * ALIGNED;
        int slot = complete.map(other -> 1 - other).orElse(0);
        order = Optional.of(new RollbackMessage.TakeCheckpoint(epoch, slot, at));
        stored.clear();
        repeatAt = turn.now();
        tick(turn);
    }

    /** A group's blocks are all durable, or one of them is not and will not be. */
    public void checkpointed(RollbackMessage.GroupCheckpoint answer) {
        if (order.isEmpty()
                || answer.epoch() != epoch
                || answer.iteration() != order.get().iteration()
                || !groups.containsKey(answer.term())) {
            return;
        }
        if (!answer.stored()) {
            order = Optional.empty();
            misses++;
            return;
        }
        stored.add(answer.term());
        if (stored.size() == groups.size()) {
            complete = Optional.of(order.get().slot());
            order = Optional.empty();
            misses = 0;
        }
    }

    /** Repeats what was not answered. */
    public void tick(SpawnerTurn turn) {
        if (!finding && order.isEmpty()) {
            return;
        }
        if (turn.now() >= repeatAt) {
            repeatAt = turn.now() + retry;
            for (Map.Entry<GroupTerm, WorkerId> group : groups.entrySet()) {
                if (finding && !found.containsKey(group.getKey())) {
                    turn.send(group.getValue(), new RollbackMessage.BeginEpoch(epoch));
                } else if (order.isPresent() && !stored.contains(group.getKey())) {
                    turn.send(group.getValue(), order.get());
                }
            }
        }
        turn.wakeAt(repeatAt);
    }

    /** Entries held. */
    public int entries() {
        return 2 * found.size() + stored.size();
    }
}
