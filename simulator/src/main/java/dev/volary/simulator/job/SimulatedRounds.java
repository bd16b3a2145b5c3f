// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.halo.RoundSchedule;
import dev.volary.protocol.halo.RoundSlots;
import dev.volary.solver.RedundantCoarseBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of one block in the asynchronous scheme. As at a real link, two halos of a source wait for the block's next turn, and a
 * third replaces the older one.
 */
final class SimulatedRounds {
    /** What the block was opened from. */
    enum Origin {
        START,
        BACKUP,
        /** A replacement without a backup. */
        LOST
    }

    private final SimulatedBlock block;
    private final RedundantCoarseBlock rounds;
    private final RoundSchedule schedule;
    private final RoundChecker checker;
    private final List<Deque<Halo>> arrived = new ArrayList<>();
    private final @Nullable Halo[] waiting;
    private final @Nullable Halo[] used;
    /** Whether a turn is scheduled for a block that waits or rests. */
    boolean isAwake;

    /**
     * @param tolerance of the residual, not relative
     * @param checker of the invariants of rounds
     */
    SimulatedRounds(
            SimulatedBlock block,
            RedundantCoarseBlock rounds,
            Origin origin,
            double tolerance,
            RoundChecker checker,
            long now) {
        this.block = block;
        this.rounds = rounds;
        this.checker = checker;
        int sources = block.incoming.size();
        for (int k = 0; k < sources; k++) {
            arrived.add(new ArrayDeque<>());
        }
        waiting = new @Nullable Halo[sources];
        used = new @Nullable Halo[sources];
        int healing =
                switch (origin) {
                    case START -> 0;
                    case BACKUP -> rounds.healing(true);
                    case LOST -> rounds.healing(false);
                };
        double restAt = SnapshotConfig.of(tolerance).inRounds().hintBound();
        schedule =
                new RoundSchedule(sources, block.step(), block.iteration, restAt, healing, origin == Origin.LOST, now);
        checker.opened(block, healing, now);
    }

    boolean isHealing() {
        return schedule.isHealing();
    }

    /** A halo comes; it is taken in the block's next turn. */
    void arrived(int edge, Halo halo) {
        Deque<Halo> before = arrived.get(edge);
        if (before.size() == RoundSlots.HALOS_KEPT) {
            before.removeFirst();
        }
        before.addLast(halo);
    }

    /** Takes halos and decides. */
    RoundSchedule.Turn next(long now) {
        take();
        for (int k = 0; k < waiting.length && schedule.readsNewest(); k++) {
            if (schedule.slots().useNewest(k)) {
                use(k);
            }
        }
        RoundSchedule.Turn turn = schedule.next(rounds.roundResidual(SimulatedBlock.halos(block.newest)), now);
        checker.decided(block, turn, now);
        return turn;
    }

    /** Whether the block has come to rest since this was asked last. */
    boolean hasSettled() {
        return schedule.hasSettled();
    }

    private void take() {
        for (int k = 0; k < waiting.length; k++) {
            while (!arrived.get(k).isEmpty()) {
                Halo halo = arrived.get(k).removeFirst();
                useAwaited(k);
                if (schedule.slots().offer(k, halo.key().step(), halo.key().iteration())) {
                    waiting[k] = halo;
                }
            }
        }
        for (int k = 0; k < waiting.length; k++) {
            useAwaited(k);
        }
    }

    private void useAwaited(int edge) {
        if (schedule.slots().useAwaited(edge)) {
            use(edge);
        }
    }

    private void use(int edge) {
        Halo halo = waiting[edge];
        waiting[edge] = null;
        if (halo == null) {
            throw new IllegalStateException(
                    "no halo of block " + block.incoming.get(edge).from() + " waits at block " + block.id);
        }
        checker.haloUsed(block, used[edge], halo, !schedule.readsNewest());
        used[edge] = halo;
        block.newest[edge] = halo.values();
        block.sentIn[edge] = halo.phase();
    }

    /** Whether a halo of this edge is in use. */
    boolean isUsed(int edge) {
        return used[edge] != null;
    }

    /** Whether the iteration that begins now reads a halo of its round from every source. */
    boolean isComplete() {
        return schedule.isComplete();
    }

    /** An iteration begins that is published. */
    void begins(long now) {
        checker.begun(block, Arrays.asList(used), schedule.isComplete(), now);
    }

    /** It is done. */
    void iterated(boolean wasComplete, long now) {
        checker.iterated(block, wasComplete, now);
        schedule.iterated(wasComplete, block.iteration, now);
        take();
    }

    /** Called before an iteration that is not published. */
    void restoreIfEmpty() {
        if (schedule.takeStateFromOthers()) {
            rounds.restoreFromLoads(SimulatedBlock.halos(block.newest));
        }
    }

    /** An iteration that is not published is done; returns whether it was the last one. */
    boolean healed(long now) {
        checker.healed(block, now);
        return schedule.healed();
    }

    /** The block counts on from the newest round. */
    void join(long now) {
        block.iteration = schedule.join(block.iteration, now);
        checker.joined(block, now);
    }

    /** A snapshot is over without a certificate. */
    void notCertified() {
        schedule.notCertified();
    }

    boolean isRepeatDue(long now) {
        return schedule.isRepeatDue(now);
    }

    /** The block has continued from an older copy of itself. */
    void heal(long now) {
        schedule.heal(rounds.healing(true));
        checker.restored(block, rounds.healing(true), now);
    }

    /** The block has committed a step. */
    void stepBegun(long now) {
        Arrays.fill(used, null);
        schedule.stepBegun(block.step(), now);
        checker.stepBegun(block, now);
    }
}
