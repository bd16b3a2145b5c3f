// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.rollback;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.CheckpointGeneration;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A daemon's share of coordinated checkpoints and rollbacks. A block of a later epoch is restored in three steps: its daemon
 * finds out what there is, receives the checkpoint that all roll back to, and waits until the directory names its partners'
 * incarnations of this epoch, so that no halo of an earlier one can be taken.
 */
public final class DaemonRollback {
    /** A checkpoint is ordered this many sample periods ahead, so that no block is past it when the order arrives. */
    private static final int PERIODS_AHEAD = 2;

    private static final int LEAST_AHEAD = 4;

    private static final class Own {
        private final Incarnation incarnation;
        private Optional<List<CheckpointGeneration>> found = Optional.empty();
        private boolean restoring;
        private boolean open;
        private boolean asked;
        private Optional<Boolean> stored = Optional.empty();

        private Own(Incarnation incarnation) {
            this.incarnation = incarnation;
        }
    }

    private final JobGraph graph;
    private final BlockDirectory directory;
    private final long retry;
    private final TreeMap<Integer, Own> blocks = new TreeMap<>();
    private final Map<Integer, Long> sampled = new HashMap<>();
    private int epoch;
    private Optional<RollbackMessage.ResumeFrom> resume = Optional.empty();
    private Optional<RollbackMessage.TakeCheckpoint> order = Optional.empty();
    private long every;
    private long base;
    private long repeatAt;

    /**
     * @param directory who serves the partners
     * @param every iterations between two checkpoints; 0 for none. Measurements may change it
     */
    public DaemonRollback(JobGraph graph, BlockDirectory directory, Duration retry, long every) {
        this.graph = graph;
        this.directory = directory;
        this.retry = retry.toNanos();
        this.every = every;
    }

    public void on(DaemonEvent.RollbackEvent event, Optional<WorkerId> owner, DaemonTurn turn) {
        switch (event) {
            case DaemonEvent.GenerationsFound found -> found(found, turn.now());
            case DaemonEvent.CheckpointTaken taken -> taken(taken, owner, turn);
        }
    }

    public void received(RollbackMessage.Command message, Optional<WorkerId> owner, DaemonTurn turn) {
        switch (message) {
            case RollbackMessage.ResumeFrom chosen -> resume(chosen);
            case RollbackMessage.TakeCheckpoint wanted -> checkpoint(wanted, owner, turn);
        }
    }

    /** This daemon serves a block from now on. */
    public void assigned(int block, Incarnation incarnation) {
        if (incarnation.counter() > epoch) {
            epoch = incarnation.counter();
            resume = Optional.empty();
            order = Optional.empty();
            sampled.clear();
            base = 0;
        }
        blocks.put(block, new Own(incarnation));
    }

    /** A block is no longer served here. */
    public void dropped(int block) {
        blocks.remove(block);
        sampled.remove(block);
    }

    /** What there is to restore a block from. */
    void found(DaemonEvent.GenerationsFound event, long now) {
        Own own = own(event.block(), event.incarnation());
        if (own != null) {
            own.found = Optional.of(event.generations());
            repeatAt = now;
        }
    }

    /** The checkpoint that all roll back to. */
    void resume(RollbackMessage.ResumeFrom chosen) {
        if (chosen.epoch() == epoch) {
            resume = Optional.of(chosen);
            base = chosen.from().map(CheckpointGeneration::iteration).orElse(0L);
        }
    }

    /** A block is open, so it can take checkpoints. */
    public void opened(int block, Incarnation incarnation, DaemonTurn turn) {
        Own own = own(block, incarnation);
        if (own != null) {
            own.open = true;
            order.ifPresent(wanted -> take(block, own, wanted, turn));
        }
    }

    /** A new measurement of how often checkpoints are worth their cost; 0 while there is no holder for them. */
    public void setCheckpointInterval(long iterations, DaemonTurn turn) {
        every = iterations;
        order.ifPresent(wanted -> blocks.forEach((block, own) -> {
            if (own.open) {
                take(block, own, wanted, turn);
            }
        }));
    }

    /** How far the blocks are: where one has gone far enough, a checkpoint is due. */
    public void sampled(List<ProgressMessage.BlockProgress> samples, Optional<WorkerId> owner, DaemonTurn turn) {
        long newest = 0;
        long ahead = LEAST_AHEAD;
        for (ProgressMessage.BlockProgress sample : samples) {
            if (own(sample.block(), sample.incarnation()) != null) {
                long before = Math.max(base, sampled.getOrDefault(sample.block(), sample.iteration()));
                ahead = Math.max(ahead, PERIODS_AHEAD * (sample.iteration() - before));
                newest = Math.max(newest, sample.iteration());
                sampled.put(sample.block(), sample.iteration());
            }
        }
        if (every > 0 && !isCheckpointing() && newest >= base + every && owner.isPresent()) {
            turn.send(owner.get(), new RollbackMessage.CheckpointDue(epoch, newest, ahead));
        }
    }

    /** The leader wants a checkpoint, or misses an answer. */
    void checkpoint(RollbackMessage.TakeCheckpoint wanted, Optional<WorkerId> owner, DaemonTurn turn) {
        if (wanted.epoch() != epoch) {
            return;
        }
        boolean news = order.filter(wanted::equals).isEmpty();
        if (news) {
            order = Optional.of(wanted);
        }
        blocks.forEach((block, own) -> {
            if (news) {
                own.asked = false;
                own.stored = Optional.empty();
            }
            if (own.open) {
                take(block, own, wanted, turn);
            }
            report(block, own, wanted, owner, turn);
        });
    }

    /** A block's checkpoint is durable, or will not be. */
    void taken(DaemonEvent.CheckpointTaken event, Optional<WorkerId> owner, DaemonTurn turn) {
        Own own = own(event.block(), event.incarnation());
        if (own == null || order.filter(o -> o.iteration() == event.iteration()).isEmpty()) {
            return;
        }
        own.stored = Optional.of(event.stored());
        report(event.block(), own, order.get(), owner, turn);
        if (blocks.values().stream().allMatch(each -> each.stored.orElse(false))) {
            base = event.iteration();
        }
    }

    /** Says again what it can restore, and restores where it may. */
    public void tick(Optional<WorkerId> owner, DaemonTurn turn) {
        boolean repeat = turn.now() >= repeatAt;
        if (repeat) {
            repeatAt = turn.now() + retry;
        }
        for (Map.Entry<Integer, Own> entry : blocks.entrySet()) {
            Own own = entry.getValue();
            if (own.found.isEmpty() || own.restoring) {
                continue;
            }
            if (resume.isEmpty()) {
                if (repeat && owner.isPresent()) {
                    turn.send(
                            owner.get(), new RollbackMessage.BlockGenerations(epoch, entry.getKey(), own.found.get()));
                }
                turn.wakeAt(repeatAt);
            } else if (areAllPartnersNamed(entry.getKey())) {
                own.restoring = true;
                own.found = Optional.of(List.of());
                turn.add(new DaemonAction.ResumeBlock(
                        entry.getKey(), own.incarnation, resume.get().from()));
            }
        }
    }

    /** Entries held. */
    public int entries() {
        return blocks.size() + sampled.size();
    }

    private boolean isCheckpointing() {
        return order.isPresent() && blocks.values().stream().anyMatch(own -> own.stored.isEmpty());
    }

    private boolean areAllPartnersNamed(int block) {
        return graph.partners(block).stream()
                .allMatch(partner -> directory
                        .find(partner)
                        .map(BlockAssignment::incarnation)
                        .filter(incarnation -> incarnation.counter() >= epoch)
                        .isPresent());
    }

    /**
     * While there is no holder for a copy the order waits: the leader takes a refusal as a sign that orders come too late,
     * which such a failure is not.
     */
    private void take(int block, Own own, RollbackMessage.TakeCheckpoint wanted, DaemonTurn turn) {
        if (!own.asked && every > 0) {
            own.asked = true;
            turn.add(new DaemonAction.CheckpointBlock(block, own.incarnation, wanted.slot(), wanted.iteration()));
        }
    }

    private void report(
            int block, Own own, RollbackMessage.TakeCheckpoint wanted, Optional<WorkerId> owner, DaemonTurn turn) {
        if (own.stored.isPresent() && owner.isPresent()) {
            turn.send(
                    owner.get(),
                    new RollbackMessage.CheckpointTaken(epoch, block, wanted.iteration(), own.stored.get()));
        }
    }

    private @Nullable Own own(int block, Incarnation incarnation) {
        Own own = blocks.get(block);
        return own != null && own.incarnation.equals(incarnation) ? own : null;
    }
}
