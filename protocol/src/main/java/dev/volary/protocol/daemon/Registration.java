package dev.volary.protocol.daemon;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** How a free daemon finds the one spawner that looks after it. */
final class Registration {
    private final Member self;
    private final long retry;
    private final SplittableRandom random;
    private final TreeMap<NodeId, Member> spawners = new TreeMap<>();
    private Optional<NodeId> asked = Optional.empty();
    private Optional<NodeId> owner = Optional.empty();
    private long askAt = Long.MAX_VALUE;

    Registration(Member self, Duration retry, long seed) {
        this.self = self;
        this.retry = retry.toNanos();
        this.random = new SplittableRandom(seed);
    }

    void found(List<Member> members, Actions out, long now) {
        for (Member member : members) {
            if (!member.equals(spawners.put(member.id(), member))) {
                out.add(new Action.Know(member));
            }
        }
        if (asked.isEmpty() && !spawners.isEmpty()) {
            List<NodeId> ids = new ArrayList<>(spawners.keySet());
            long spread = new SplittableRandom(self.id().value()).nextLong();
            ask(ids.get((int) Long.remainderUnsigned(spread, ids.size())), out, now);
        }
    }

    void registered(NodeId from) {
        if (owner.isEmpty()) {
            owner = Optional.of(from);
            askAt = Long.MAX_VALUE;
        }
    }

    void tryElsewhere(NodeId from, Member other, Actions out, long now) {
        if (owner.isEmpty() && asked.filter(from::equals).isPresent()) {
            if (!other.equals(spawners.put(other.id(), other))) {
                out.add(new Action.Know(other));
            }
            ask(other.id(), out, now);
        }
    }

    void tick(Actions out, long now) {
        if (now >= askAt && asked.isPresent()) {
            ask(asked.get(), out, now);
        }
        out.wakeAt(askAt);
    }

    /** The spawner this daemon belongs to. */
    Optional<NodeId> owner() {
        return owner;
    }

    int entries() {
        return spawners.size();
    }

    private void ask(NodeId spawner, Actions out, long now) {
        asked = Optional.of(spawner);
        askAt = now + retry + random.nextLong(Math.max(1, retry / 4));
        out.send(spawner, new Message.Register(self));
        out.wakeAt(askAt);
    }
}
