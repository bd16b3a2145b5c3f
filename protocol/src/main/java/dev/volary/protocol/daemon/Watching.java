package dev.volary.protocol.daemon;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.Event;
import dev.volary.protocol.IterationCounter;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.watch.Watch;
import dev.volary.protocol.watch.WatchConfig;
import dev.volary.protocol.watch.WatchedList;
import java.util.List;
import java.util.Optional;

/**
 * A daemon's part in the watch over its group. It begins with the first list of the group's owner; with the list of another
 * owner, or after a verdict on the owner, it begins anew.
 */
final class Watching {
    private final NodeId self;
    private final WatchConfig config;
    private final long seed;
    private Optional<NodeId> owner = Optional.empty();
    private Watch watch;

    Watching(NodeId self, WatchConfig config, long seed) {
        this.self = self;
        this.config = config;
        this.seed = seed;
        this.watch = new Watch(self, config, seed);
    }

    /** The owner says who is in the group. */
    void members(Message.Watched list, Actions out, long now) {
        if (owner.filter(list.owner()::equals).isEmpty()) {
            owner = Optional.of(list.owner());
            watch = new Watch(self, config, seed);
        }
        for (Member member : list.members()) {
            if (!member.id().equals(self)) {
                out.add(new Action.Know(member));
            }
        }
        watch.members(WatchedList.members(list), out, now);
        out.send(list.owner(), new Message.WatchedHeard(list.version()));
    }

    void on(Event event, Actions out, long now) {
        watch.on(event, out, now);
    }

    /** Beats, and returns the owner if it is dead by the group's verdict; the others judge nobody else. */
    Optional<NodeId> tick(List<IterationCounter> counters, Actions out, long now) {
        watch.iterating(counters);
        boolean fallen = watch.tick(out, now).stream()
                .anyMatch(verdict -> owner.filter(verdict.member()::equals).isPresent());
        Optional<NodeId> lost = fallen ? owner : Optional.empty();
        // The old watch goes on telling the others, until there is a new list.
        owner = fallen ? Optional.empty() : owner;
        return lost;
    }

    int entries() {
        return watch.entries();
    }
}
