package dev.volary.protocol.spawner;

import dev.volary.protocol.Actions;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.RegisterEntry;
import java.time.Duration;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;

/**
 * Blocks without a daemon are offered to the other spawners in turn, one in each retry period; first to one whose daemons find
 * the blocks' copies.
 */
final class Lending {
    private final Member self;
    private final long retry;
    private Optional<NodeId> asked = Optional.empty();
    private boolean offering;
    private long askAt = Long.MIN_VALUE;

    Lending(Member self, Duration retry) {
        this.self = self;
        this.retry = retry.toNanos();
    }

    /**
     * @param parked blocks without a daemon
     * @param entries the newest of them
     * @param buddies owners of groups that share their holders with this one
     */
    void tick(
            List<Integer> parked,
            List<RegisterEntry> entries,
            List<NodeId> buddies,
            NavigableSet<NodeId> others,
            Actions out,
            long now) {
        if (parked.isEmpty() || others.isEmpty()) {
            offering = false;
            return;
        }
        if (now >= askAt) {
            askAt = now + retry;
            NodeId higher = others.higher(asked.orElse(self.id()));
            Optional<NodeId> buddy = offering
                    ? Optional.empty()
                    : buddies.stream().filter(others::contains).findFirst();
            NodeId next = buddy.orElse(higher == null ? others.first() : higher);
            offering = true;
            asked = Optional.of(next);
            out.send(next, new Message.BlocksOffered(self, parked, entries));
        }
        out.wakeAt(askAt);
    }
}
