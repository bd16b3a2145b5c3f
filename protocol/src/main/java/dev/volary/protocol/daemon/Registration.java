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
    /** A chosen spawner is told again so many retry periods later, until it assigns something. */
    private static final int CONFIRM_RETRIES = 5;

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

    /** A spawner has a place for this daemon: the first one gets it, and every one is told who. */
    void registered(NodeId from, Actions out, long now) {
        if (owner.isEmpty()) {
            owner = Optional.of(from);
            askAt = now + CONFIRM_RETRIES * retry;
        }
        out.send(from, new Message.Register(self, owner));
    }

    /** An assignment came from a spawner; returns whether it is this daemon's. It ends the repetitions. */
    boolean assigned(NodeId from, Actions out) {
        if (owner.filter(from::equals).isPresent()) {
            askAt = Long.MAX_VALUE;
            return true;
        }
        out.send(from, new Message.Register(self, owner));
        return false;
    }

    /** A spawner is gone; a daemon of its group offers itself to another. */
    void spawnerLost(NodeId spawner, Actions out, long now) {
        spawners.remove(spawner);
        boolean mine = owner.filter(spawner::equals).isPresent();
        if (mine || asked.filter(spawner::equals).isPresent()) {
            owner = mine ? Optional.empty() : owner;
            asked = Optional.empty();
            askAt = Long.MAX_VALUE;
            found(List.of(), out, now);
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
        if (now >= askAt && owner.isPresent()) {
            askAt = now + CONFIRM_RETRIES * retry;
            out.send(owner.get(), new Message.Register(self, owner));
        } else if (now >= askAt && asked.isPresent()) {
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
        out.send(spawner, new Message.Register(self, Optional.empty()));
        out.wakeAt(askAt);
    }
}
