package dev.volary.protocol.spawner;

import dev.volary.protocol.Actions;
import dev.volary.protocol.Event;
import dev.volary.protocol.Member;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Verdict;
import dev.volary.protocol.watch.Watch;
import dev.volary.protocol.watch.WatchedList;
import java.util.ArrayList;
import java.util.List;

/**
 * The watch over a group, standbys included, as its owner keeps it. It begins a while after the first plan: a short job is over
 * before anybody has connected for it.
 */
final class GroupWatch {
    private final Member self;
    private final long delay;
    private final Watch watch;
    private final WatchedList list;
    private boolean planned;
    private long beginAt = Long.MAX_VALUE;

    GroupWatch(Member self, JobConfig config, long seed) {
        this.self = self;
        this.delay = config.watch().timeout().toNanos() / 2;
        this.watch = new Watch(self.id(), config.watch(), seed);
        this.list = new WatchedList(self.id(), config.retry());
    }

    /** There is a plan. */
    void planned(long now) {
        if (!planned) {
            planned = true;
            beginAt = now + delay;
        }
    }

    void on(Event event, Actions out, long now) {
        watch.on(event, out, now);
    }

    void heard(NodeId daemon, long version) {
        list.heard(daemon, version);
    }

    /** A daemon offers itself as if it were free: it has begun anew. */
    void forgotten(NodeId daemon, long now) {
        list.forgotten(daemon, now);
    }

    /** Watches over the daemons there are now; returns those that are lost. */
    List<Verdict> tick(List<Member> daemons, Actions out, long now) {
        if (!planned || now < beginAt) {
            out.wakeAt(beginAt);
            return List.of();
        }
        List<Member> members = new ArrayList<>(daemons);
        members.addFirst(self);
        if (list.set(0, members, now)) {
            watch.members(list.members(), out, now);
        }
        list.tick(out, now);
        return watch.tick(out, now).stream()
                .filter(verdict -> !verdict.member().equals(self.id()))
                .toList();
    }

    int entries() {
        return watch.entries() + list.entries();
    }
}
