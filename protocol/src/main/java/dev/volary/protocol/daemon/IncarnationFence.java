// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Fences workers that act for a block under a stale incarnation: sends them the newest one that is known here. A daemon that
 * was replaced while it was cut off does not know that; neighbors refuse its data, and this message makes it stop.
 */
final class IncarnationFence {
    private final BlockDirectory directory;
    private final long retry;
    private final Map<WorkerId, Long> fencedAt = new HashMap<>();

    /** @param retry least time between two messages to a sender of stale halos, which may send thousands of them */
    IncarnationFence(BlockDirectory directory, Duration retry) {
        this.directory = directory;
        this.retry = retry.toNanos();
    }

    /** Fences the sender if the directory has a newer incarnation of the block; returns whether it has. */
    boolean fenceIfStale(WorkerId sender, int block, Incarnation incarnation, DaemonTurn turn) {
        Optional<Incarnation> newest = newerThan(incarnation, block);
        newest.ifPresent(known -> turn.send(sender, new BlockMessage.StaleIncarnation(block, known)));
        return newest.isPresent();
    }

    /** Fences the sender of a stale halo, at most once in a retry period. */
    void staleHaloArrived(DaemonEvent.StaleHaloArrived halo, DaemonTurn turn) {
        // The newest assignment may be lost with all that knew of it; its data would never arrive.
        Incarnation newest = newerThan(halo.newest(), halo.block()).orElse(halo.newest());
        long last = fencedAt.getOrDefault(halo.sender(), Long.MIN_VALUE / 2);
        if (newest.compareTo(halo.incarnation()) > 0 && turn.now() - last >= retry) {
            fencedAt.values().removeIf(at -> turn.now() - at >= retry);
            fencedAt.put(halo.sender(), turn.now());
            turn.send(halo.sender(), new BlockMessage.StaleIncarnation(halo.block(), newest));
        }
    }

    private Optional<Incarnation> newerThan(Incarnation incarnation, int block) {
        return directory
                .find(block)
                .map(BlockAssignment::incarnation)
                .filter(known -> known.compareTo(incarnation) > 0);
    }

    int entries() {
        return fencedAt.size();
    }
}
