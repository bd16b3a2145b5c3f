// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** How a free daemon finds its one owner among the spawners. */
final class SpawnerRegistration {
    /**
     * The daemon confirms its choice to the spawner again after this many retry periods, until that sends the list of the
     * group.
     */
    private static final int CONFIRM_RETRIES = 5;
    /** After this many offers without an answer another spawner is asked. */
    private static final int OFFERS = 10;
    /**
     * A chosen spawner that acknowledges nothing for this many retry periods may be dead; of use before the group is monitored.
     */
    private static final int SILENT_RETRIES = 2 * CONFIRM_RETRIES;

    private final Member self;
    private final long retry;
    private final SplittableRandom random;
    private final TreeMap<WorkerId, Member> spawners = new TreeMap<>();
    private Optional<WorkerId> asked = Optional.empty();
    private Optional<WorkerId> owner = Optional.empty();
    /** The owner before this one, if that was replaced: its messages do not count any more. */
    private Optional<WorkerId> deposed = Optional.empty();
    /** The same one, if its address is known: it can be asked again should it still answer. */
    private Optional<Member> deposedMember = Optional.empty();
    /** The newest term of the owner. */
    private Optional<GroupTerm> term = Optional.empty();

    private long askAt = Long.MAX_VALUE;
    private int offers;
    private boolean hasAskedAnswered;
    private long ownerLastReceivedAt;
    /** Whether the group has declared its spawner dead. */
    private boolean isOrphaned;

    private Optional<WorkerId> notified = Optional.empty();
    private long notifyAt = Long.MAX_VALUE;

    SpawnerRegistration(Member self, Duration retry, long seed) {
        this.self = self;
        this.retry = retry.toNanos();
        this.random = new SplittableRandom(seed);
    }

    void found(List<Member> members, DaemonTurn turn) {
        for (Member member : members) {
            if (!member.equals(spawners.put(member.id(), member))) {
                turn.add(new WorkerAction.AddPeer(member));
            }
        }
        if (asked.isEmpty() && !spawners.isEmpty()) {
            List<WorkerId> ids = new ArrayList<>(spawners.keySet());
            long spread = new SplittableRandom(self.id().value()).nextLong();
            ask(ids.get((int) Long.remainderUnsigned(spread, ids.size())), turn);
        }
    }

    /**
     * A spawner has a place for this daemon: the first one becomes the owner, and each receives a registration that names the
     * owner.
     */
    void registered(WorkerId from, GroupTerm of, DaemonTurn turn) {
        if (isOrphaned && !owner.equals(Optional.of(from))) {
            depose();
            owner = Optional.empty();
        }
        if (owner.isEmpty()) {
            setOwner(from, turn.now());
            term = Optional.of(of);
        }
        turn.send(from, new RegistrationMessage.Register(self, owner));
    }

    /**
     * A spawner has taken the group over: it becomes the owner if its term is above the owner's. That one may have taken the
     * group over too, and would count on this daemon to monitor others.
     */
    void takeover(WorkerId from, GroupTerm above, DaemonTurn turn) {
        boolean newer = term.filter(known -> known.compareTo(above) >= 0).isEmpty();
        if (newer) {
            Optional<WorkerId> former = owner.filter(before -> !before.equals(from));
            former.ifPresent(before -> depose());
            setOwner(from, turn.now());
            term = Optional.of(above);
            former.ifPresent(before -> turn.send(before, new RegistrationMessage.Register(self, owner)));
        }
        turn.send(from, new RegistrationMessage.Register(self, owner));
    }

    /** The owner transfers this daemon to another spawner. Returns whether the sender is the owner. */
    boolean transfer(WorkerId from, Member to, DaemonTurn turn) {
        boolean isOwner = owner.filter(from::equals).isPresent() && !to.id().equals(from);
        if (isOwner) {
            spawners.put(to.id(), to);
            turn.add(new WorkerAction.AddPeer(to));
            setOwner(to.id(), turn.now());
            // Whatever term the new owner names is right.
            term = Optional.empty();
            turn.send(from, new RegistrationMessage.Register(self, owner));
            turn.send(to.id(), new RegistrationMessage.Register(self, owner));
        }
        return isOwner;
    }

    private void depose() {
        if (owner.isPresent()) {
            deposed = owner;
            deposedMember = Optional.ofNullable(spawners.remove(owner.get()));
        }
    }

    private void setOwner(WorkerId spawner, long now) {
        owner = Optional.of(spawner);
        deposed = deposed.filter(before -> !before.equals(spawner));
        asked = owner;
        offers = 0;
        askAt = now + CONFIRM_RETRIES * retry;
        ownerLastReceivedAt = now;
        reconciled();
    }

    /** An assignment came from a spawner; returns whether it is this daemon's. */
    boolean assigned(WorkerId from, GroupTerm of, DaemonTurn turn) {
        if (owner.filter(from::equals).isPresent()) {
            if (term.filter(known -> known.compareTo(of) >= 0).isEmpty()) {
                term = Optional.of(of);
            }
            return true;
        }
        turn.send(from, new RegistrationMessage.Register(self, owner));
        return false;
    }

    /** A spawner is dead; a daemon of its group offers itself to another. */
    void spawnerLost(WorkerId spawner, DaemonTurn turn) {
        spawners.remove(spawner);
        boolean mine = owner.filter(spawner::equals).isPresent();
        if (mine || asked.filter(spawner::equals).isPresent()) {
            if (mine) {
                owner = Optional.empty();
                reconciled();
            }
            asked = Optional.empty();
            askAt = Long.MAX_VALUE;
            found(List.of(), turn);
        }
    }

    /** The group monitors its spawner from now on, so the owner is not asked again. */
    void monitored() {
        askAt = Long.MAX_VALUE;
    }

    /**
     * The daemon's group, or a refused connection, shows that its spawner is dead: the daemon reports that to the other
     * spawners.
     */
    void orphaned(WorkerId spawner, long now) {
        if (owner.filter(spawner::equals).isPresent() && !isOrphaned) {
            isOrphaned = true;
            notified = owner;
            notifyAt = now;
        }
    }

    /** A connection to a spawner was refused: as long as the group is not monitored, nothing else shows that it is dead. */
    void refused(WorkerId spawner, DaemonTurn turn) {
        if (askAt != Long.MAX_VALUE) {
            orphaned(spawner, turn.now());
        }
        if (owner.isEmpty() && asked.filter(spawner::equals).isPresent()) {
            next(spawner, spawner).ifPresent(next -> ask(next, turn));
        }
    }

    /**
     * A message of a spawner arrived. An owner that was declared dead takes the daemon in again. An owner that was replaced, and
     * still answers, may be asked again: it may be the only spawner left.
     */
    void received(WorkerId from, DaemonTurn turn) {
        hasAskedAnswered |= asked.filter(from::equals).isPresent();
        if (isDeposed(from)) {
            deposedMember.ifPresent(member -> found(List.of(member), turn));
            deposedMember = Optional.empty();
        }
        if (owner.filter(from::equals).isPresent()) {
            ownerLastReceivedAt = turn.now();
            if (isOrphaned) {
                reconciled();
                // The message may be an old one: the group declares a dead owner dead only once.
                askAt = turn.now() + CONFIRM_RETRIES * retry;
                turn.send(from, new RegistrationMessage.Register(self, Optional.empty()));
            }
        }
    }

    private void reconciled() {
        isOrphaned = false;
        notifyAt = Long.MAX_VALUE;
    }

    void tryElsewhere(WorkerId from, Member other, DaemonTurn turn) {
        if (isOrphaned && !other.equals(spawners.put(other.id(), other))) {
            turn.add(new WorkerAction.AddPeer(other));
        }
        if (owner.isEmpty() && asked.filter(from::equals).isPresent()) {
            if (!other.equals(spawners.put(other.id(), other))) {
                turn.add(new WorkerAction.AddPeer(other));
            }
            ask(other.id(), turn);
        }
    }

    void tick(DaemonTurn turn) {
        if (turn.now() >= askAt && owner.isPresent()) {
            askAt = turn.now() + CONFIRM_RETRIES * retry;
            turn.send(owner.get(), new RegistrationMessage.Register(self, owner));
            if (turn.now() - ownerLastReceivedAt >= SILENT_RETRIES * retry) {
                orphaned(owner.get(), turn.now());
            }
        } else if (turn.now() >= askAt && asked.isPresent()) {
            offerAgain(asked.get(), turn);
        }
        if (isOrphaned && owner.isPresent() && turn.now() >= notifyAt) {
            notifyAt = turn.now() + retry;
            notified = next(notified.orElse(self.id()), owner.get());
            notified.ifPresent(next -> turn.send(next, new RegistrationMessage.SpawnerLost(self, owner.get())));
        }
        turn.wakeAt(askAt);
        turn.wakeAt(notifyAt);
    }

    /** Whether another spawner owns this daemon in place of that one, which may have been cut off meanwhile. */
    boolean isDeposed(WorkerId spawner) {
        return owner.isPresent() && deposed.filter(spawner::equals).isPresent();
    }

    /** Whether this is a spawner that can be reached, or could. */
    boolean knows(WorkerId spawner) {
        return spawners.containsKey(spawner);
    }

    /** All spawners that this daemon may ask or report to. */
    Set<WorkerId> spawners() {
        return Collections.unmodifiableSet(spawners.keySet());
    }

    /** The spawner this daemon belongs to. */
    Optional<WorkerId> owner() {
        return owner;
    }

    int entries() {
        return spawners.size();
    }

    private void offerAgain(WorkerId spawner, DaemonTurn turn) {
        Optional<WorkerId> next = ++offers % OFFERS == 0 ? next(spawner, spawner) : Optional.empty();
        if (next.isPresent() && !hasAskedAnswered) {
            turn.send(next.get(), new RegistrationMessage.SpawnerLost(self, spawner));
        }
        ask(next.orElse(spawner), turn);
    }

    /** The spawner that comes after one, cyclically; none if only the one to leave out is known. */
    private Optional<WorkerId> next(WorkerId spawner, WorkerId without) {
        List<WorkerId> successors =
                new ArrayList<>(spawners.tailMap(spawner, false).keySet());
        successors.addAll(spawners.headMap(spawner, true).keySet());
        successors.remove(without);
        return successors.stream().findFirst();
    }

    private void ask(WorkerId spawner, DaemonTurn turn) {
        hasAskedAnswered &= asked.filter(spawner::equals).isPresent();
        asked = Optional.of(spawner);
        askAt = turn.now() + retry + random.nextLong(Math.max(1, retry / 4));
        turn.send(spawner, new RegistrationMessage.Register(self, Optional.empty()));
        turn.wakeAt(askAt);
    }
}
