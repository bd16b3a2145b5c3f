// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The daemons that registered with one spawner: at most a bound, and no more than a fair share while others have room; once
 * there are blocks, no more than one standby while others may have none.
 */
public final class DaemonReservations {
    /** The order in which blocks are assigned: by the number in the name. */
    static final Comparator<Member> BY_NAME = Comparator.comparingInt(
                    (Member member) -> member.name().length())
            .thenComparing(Member::name)
            .thenComparing(Member::id);

    /** A daemon answers an offer at once. One that has not answered after this many retries is dead or elsewhere. */
    private static final int RETRIES_UNTIL_LAPSE = 20;

    private final WorkerId self;
    private GroupTerm term;
    private long version;
    private final int fairShare;
    private final int bound;
    private final long retry;
    private final TreeMap<WorkerId, Member> spawners = new TreeMap<>();
    private final Map<WorkerId, Member> daemons = new HashMap<>();
    private final TreeSet<WorkerId> confirmed = new TreeSet<>();
    /** The group in order, which is asked for after every event; null if a daemon has come or gone since the last time. */
    private @Nullable List<Member> members;
    /** Until when the place of a daemon is kept that has not chosen this spawner yet. */
    private final Map<WorkerId, Long> offered = new TreeMap<>();
    /** When each daemon was sent to the next spawner. */
    private final Map<WorkerId, Long> redirected = new HashMap<>();

    private Predicate<WorkerId> hasBlocks = daemon -> true;
    private boolean isDiscovered;
    private boolean isPlanned;

    /**
     * @param fairShare beyond it a daemon is asked to try the next spawner first
     * @param bound beyond it none is taken
     * @param retry how long a daemon waits for an answer before it asks again
     */
    public DaemonReservations(WorkerId self, GroupTerm term, int fairShare, int bound, Duration retry) {
        this.self = self;
        this.term = term;
        this.fairShare = Math.min(fairShare, bound);
        this.bound = bound;
        this.retry = retry.toNanos();
    }

    /** Spawners that daemons can be sent to. */
    public void found(List<Member> members) {
        isDiscovered = true;
        members.stream()
                .filter(member -> !member.id().equals(self))
                .forEach(member -> spawners.put(member.id(), member));
    }

    /**
     * The group has its blocks: from now on a new daemon is a standby, and one is enough as long as others may have none.
     *
     * @param newHasBlocks whether a daemon of the group has blocks
     */
    public void planned(Predicate<WorkerId> newHasBlocks) {
        isPlanned = true;
        hasBlocks = newHasBlocks;
    }

    /**
     * A daemon offers itself, or names its owner; returns whether the group has changed. Idempotent.
     *
     * @param owner the spawner it has chosen, if it has
     */
    public boolean register(Member daemon, Optional<WorkerId> owner, SpawnerTurn turn) {
        turn.add(new WorkerAction.AddPeer(daemon));
        if (owner.isEmpty()) {
            offer(daemon, turn);
            return false;
        }
        redirected.remove(daemon.id());
        offered.remove(daemon.id());
        if (owner.get().equals(self)) {
            put(daemon);
            return changed(confirmed.add(daemon.id()));
        }
        remove(daemon.id());
        return changed(confirmed.remove(daemon.id()));
    }

    /** A daemon of a group that was taken over belongs here, until it names another owner. */
    public void adopt(Member daemon, SpawnerTurn turn) {
        turn.add(new WorkerAction.AddPeer(daemon));
        put(daemon);
        offered.remove(daemon.id());
        boolean ignored = changed(confirmed.add(daemon.id()));
    }

    /** The group has a new term. */
    public void updateTerm(GroupTerm newTerm) {
        term = newTerm;
    }

    /** Grows with each change of the group. */
    public long version() {
        return version;
    }

    private boolean changed(boolean news) {
        version += news ? 1 : 0;
        return news;
    }

    /** A daemon is dead or left; returns whether the group has changed. */
    public boolean lost(WorkerId daemon) {
        redirected.remove(daemon);
        offered.remove(daemon);
        boolean hadPlace = remove(daemon);
        return changed(confirmed.remove(daemon) || hadPlace);
    }

    /** A spawner is dead: no daemon is sent there. */
    public void spawnerLost(WorkerId spawner) {
        spawners.remove(spawner);
    }

    private void offer(Member daemon, SpawnerTurn turn) {
        Long sent = redirected.get(daemon.id());
        if (sent != null && turn.now() < sent + retry) {
            // The daemon repeated its offer before it read the answer. If it really came back, it offers itself again.
            return;
        }
        boolean first = isPlanned
                ? daemons.keySet().stream().allMatch(hasBlocks) && daemons.size() < bound
                : daemons.size() < fairShare;
        // Until the spawner knows the others, it does not know whether the daemon has another place.
        boolean isLast = sent != null || (isDiscovered && spawners.isEmpty());
        boolean room = first || (isLast && daemons.size() < bound);
        if (daemons.containsKey(daemon.id()) || room) {
            put(daemon);
            redirected.remove(daemon.id());
            if (!confirmed.contains(daemon.id())) {
                offered.put(daemon.id(), turn.now() + RETRIES_UNTIL_LAPSE * retry);
            }
            turn.send(daemon.id(), new RegistrationMessage.Registered(term));
        } else if (!spawners.isEmpty()) {
            redirected.put(daemon.id(), turn.now());
            Map.Entry<WorkerId, Member> next = spawners.higherEntry(self);
            Member successor = (next == null ? spawners.firstEntry() : next).getValue();
            turn.send(daemon.id(), new RegistrationMessage.RegisterElsewhere(successor));
        }
    }

    private void put(Member daemon) {
        daemons.put(daemon.id(), daemon);
        members = null;
    }

    /** Returns whether the daemon had a place. */
    private boolean remove(WorkerId daemon) {
        members = null;
        return daemons.remove(daemon) != null;
    }

    /** The group, in the order in which blocks are assigned. */
    public List<Member> members() {
        if (members == null) {
            members = daemons.values().stream()
                    .filter(daemon -> confirmed.contains(daemon.id()))
                    .sorted(BY_NAME)
                    .toList();
        }
        return members;
    }

    /** Daemons that have a place here and have not chosen it yet. */
    public Set<WorkerId> offered() {
        return offered.keySet();
    }

    /** Gives up the places of daemons that have not chosen this spawner in time. */
    public void tick(long now) {
        offered.entrySet().removeIf(offer -> {
            boolean lapsed = now >= offer.getValue();
            if (lapsed) {
                remove(offer.getKey());
            }
            return lapsed;
        });
    }

    /** Whether this daemon is of the group. */
    public boolean has(WorkerId daemon) {
        return confirmed.contains(daemon);
    }

    /** A daemon that this spawner knows, of the group or about to be. */
    public Optional<Member> find(WorkerId daemon) {
        return Optional.ofNullable(daemons.get(daemon));
    }

    /** Entries held. */
    public int entries() {
        return daemons.size() + confirmed.size() + offered.size() + redirected.size() + spawners.size();
    }
}
