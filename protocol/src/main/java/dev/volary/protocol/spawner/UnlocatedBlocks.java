// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.machine.SpawnerTurn;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tracks blocks that were taken over and whose daemon is unknown here: one that computes them may still register, so they are
 * not assigned to another one until a wait is over.
 */
final class UnlocatedBlocks {
    private final long wait;
    private final Set<Integer> blocks = new TreeSet<>();
    private long until = Long.MAX_VALUE;

    /** @param wait how long daemons may take to find another spawner */
    UnlocatedBlocks(Duration wait) {
        this.wait = wait.toNanos();
    }

    /**
     * The group took blocks over.
     *
     * @param missing those whose daemon is unknown
     * @param certain whether no daemon computes them
     */
    void add(Collection<Integer> missing, boolean certain, long now) {
        blocks.addAll(missing);
        if (!missing.isEmpty()) {
            until = certain ? now : now + wait;
        }
    }

    /** These blocks have a daemon, or another owner. */
    void remove(Collection<Integer> located) {
        blocks.removeAll(located);
    }

    boolean isEmpty() {
        return blocks.isEmpty();
    }

    /** Whether blocks have waited long enough, and must be assigned. */
    boolean isDue(SpawnerTurn turn) {
        return !blocks.isEmpty() && turn.now() >= until;
    }

    /** Stops waiting; returns the blocks. */
    Set<Integer> removeAll() {
        Set<Integer> all = new TreeSet<>(blocks);
        blocks.clear();
        return all;
    }

    /** Asks to be called when the wait is over. */
    void tick(SpawnerTurn turn) {
        turn.wakeAt(blocks.isEmpty() ? Long.MAX_VALUE : until);
    }

    int entries() {
        return blocks.size();
    }
}
