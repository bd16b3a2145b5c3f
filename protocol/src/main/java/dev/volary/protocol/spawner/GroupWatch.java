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
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The watch over a group, standbys included, as its owner keeps it. It begins a while after the first plan: a short job is over
 * before anybody has connected for it.
 */
final class GroupWatch {
    /** A group is taken over by then, or its spawner was not alone to fall. */
    private static final int FALLEN_TIMEOUTS = 5;

    /** A spawner that was lost. */
    private record Fallen(Member spawner, long until) {}

    private final Member self;
    private final long memory;
    private final long delay;
    private final Watch watch;
    private final WatchedList list;
    private final List<Fallen> fallen = new ArrayList<>();
    private Set<NodeId> watched = Set.of();
    private boolean planned;
    private long beginAt = Long.MAX_VALUE;

    GroupWatch(Member self, JobConfig config, long seed) {
        this.self = self;
        this.delay = config.watch().timeout().toNanos() / 2;
        this.memory = FALLEN_TIMEOUTS * config.watch().timeout().toNanos();
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

    /** A spawner is lost. If daemons of its machine come into this group now, they may be lost as well. */
    void fell(Member spawner, long now) {
        fallen.removeIf(before -> now >= before.until());
        fallen.add(new Fallen(spawner, now + memory));
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
            doubtNewcomers(daemons, now);
        }
        list.tick(out, now);
        return watch.tick(out, now).stream()
                .filter(verdict -> !verdict.member().equals(self.id()))
                .toList();
    }

    private void doubtNewcomers(List<Member> daemons, long now) {
        fallen.removeIf(spawner -> now >= spawner.until());
        for (Member daemon : daemons) {
            boolean mayHaveFallen = fallen.stream().anyMatch(f -> !f.spawner().elsewhere(daemon));
            if (mayHaveFallen && !watched.contains(daemon.id())) {
                watch.doubt(daemon.id(), now);
            }
        }
        watched = daemons.stream().map(Member::id).collect(Collectors.toSet());
    }

    int entries() {
        return watch.entries() + list.entries() + fallen.size();
    }
}
