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

/** Blocks without a daemon are offered to the other spawners in turn, one in each retry period. */
final class Lending {
    private final Member self;
    private final long retry;
    private Optional<NodeId> asked = Optional.empty();
    private long askAt = Long.MIN_VALUE;

    Lending(Member self, Duration retry) {
        this.self = self;
        this.retry = retry.toNanos();
    }

    /**
     * @param parked blocks without a daemon
     * @param entries the newest of them
     */
    void tick(List<Integer> parked, List<RegisterEntry> entries, NavigableSet<NodeId> others, Actions out, long now) {
        if (parked.isEmpty() || others.isEmpty()) {
            return;
        }
        if (now >= askAt) {
            askAt = now + retry;
            NodeId higher = others.higher(asked.orElse(self.id()));
            NodeId next = higher == null ? others.first() : higher;
            asked = Optional.of(next);
            out.send(next, new Message.BlocksOffered(self, parked, entries));
        }
        out.wakeAt(askAt);
    }
}
