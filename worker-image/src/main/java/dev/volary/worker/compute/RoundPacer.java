// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.protocol.halo.RoundSchedule;
import dev.volary.protocol.halo.RoundSchedule.Turn;
import dev.volary.solver.RedundantCoarseBlock;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Connects an asynchronous block that works in rounds with its {@link RoundSchedule}, which decides: passes it the time, the
 * halos that arrive and the residual of the round. Confined to the compute thread.
 */
final class RoundPacer {
    private final RedundantCoarseBlock block;
    private final RoundSchedule schedule;
    private final RoundHalos incoming;
    private final LinkHalos halos;
    private final LongSupplier clock;

    /**
     * @param step the time step of the block; 0 for a stationary problem
     * @param completed iterations that the block has completed in it
     * @param restAt residual at which the block rests, not relative
     * @param healing iterations to make before anything is published
     * @param isEmpty whether the block is restored without a copy
     * @param clock in nanoseconds
     */
    RoundPacer(
            RedundantCoarseBlock block,
            List<NewestWinsLink> links,
            LinkHalos halos,
            int step,
            long completed,
            double restAt,
            int healing,
            boolean isEmpty,
            RoundHalos.Arrival arrival,
            LongSupplier clock) {
        this.block = block;
        this.clock = clock;
        this.halos = halos;
        schedule = new RoundSchedule(links.size(), step, completed, restAt, healing, isEmpty, clock.getAsLong());
        incoming = new RoundHalos(links, halos, schedule.slots(), arrival);
    }

    /** The block has committed: it begins the step with values as good as those of all others. */
    void stepBegun(int step) {
        schedule.stepBegun(step, clock.getAsLong());
    }

    /** Whether the block must not publish yet. */
    boolean isHealing() {
        return schedule.isHealing();
    }

    /** Whether the block rests, from its next turn on at the latest. */
    boolean isAtRest() {
        return schedule.isAtRest(largestResidual());
    }

    /** Whether the block has come to rest since this was asked last. */
    boolean hasSettled() {
        return schedule.hasSettled();
    }

    /** The block has continued from an older copy of itself. */
    void heal() {
        schedule.heal(block.healing(true));
    }

    /** A snapshot is over without a certificate. */
    void notCertified() {
        schedule.notCertified();
    }

    /** Takes halos and decides. */
    Turn next(long completed) {
        incoming.take(completed);
        if (schedule.readsNewest()) {
            incoming.useNewest(completed);
        }
        return schedule.next(largestResidual(), clock.getAsLong());
    }

    /** Of the newest round that this block knows; infinite before all blocks have iterated. */
    double largestResidual() {
        return block.roundResidual(halos);
    }

    /** Whether what was published last must be published again, because it may be lost. */
    boolean isRepeatDue() {
        return schedule.isRepeatDue(clock.getAsLong());
    }

    /** Called before the first iteration that is not published. */
    void restoreIfEmpty() {
        if (schedule.takeStateFromOthers()) {
            block.restoreFromLoads(halos);
        }
    }

    /** An iteration that is not published is done; returns whether it was the last one. */
    boolean healed() {
        incoming.read();
        return schedule.healed();
    }

    /** Counts on from the newest round; returns the iterations to count from. The values must be published under it. */
    long join(long completed) {
        return schedule.join(completed, clock.getAsLong());
    }

    /** Whether the iteration that begins now reads a halo of its round from every source. */
    boolean isComplete() {
        return schedule.isComplete();
    }

    /** An iteration is done. */
    void iterated(boolean wasComplete, long completed) {
        schedule.iterated(wasComplete, completed, clock.getAsLong());
        incoming.read();
        // A source may complete the next round too before this block has its next turn.
        incoming.take(completed);
    }
}
