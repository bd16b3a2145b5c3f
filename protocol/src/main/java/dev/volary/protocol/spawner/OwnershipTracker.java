// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.directory.GroupOwners;
import dev.volary.protocol.leader.ElectionParticipant;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Tracks which spawner owns which blocks. Sends this spawner's claims to all others until they have acknowledged them. Blocks
 * whose owner is dead are taken over by its first living successor in the ring, or by the leader if that one does not take
 * them.
 */
public final class OwnershipTracker {
    private final Member self;
    private final long retry;
    private final long patience;
    private final GroupOwners owners = new GroupOwners();
    private final Set<WorkerId> acknowledged = new TreeSet<>();
    private final TreeMap<WorkerId, Long> deadSince = new TreeMap<>();
    private Optional<TakeoverMessage.OwnershipClaim> claim = Optional.empty();
    private long repeatAt = Long.MIN_VALUE;

    /** @param patience after which the first successor without a replica of the directory assumes that no other has one */
    public OwnershipTracker(Member self, Duration retry, Duration patience) {
        this.self = self;
        this.retry = retry.toNanos();
        this.patience = patience.toNanos();
    }

    /** The plan names the owners there are. */
    public void planned(TakeoverMessage.Plan plan) {
        plan.groups().forEach(group -> owners.claimed(group.term(), group.spawner(), group.blocks()));
    }

    /** The term of the next takeover by this spawner. */
    public GroupTerm nextTerm() {
        return new GroupTerm(owners.highestTerm() + 1, self.id());
    }

    /** This spawner owns these blocks from now on. */
    public void claim(GroupTerm term, List<Integer> blocks, long now) {
        owners.claimed(term, self, blocks);
        claim = Optional.of(new TakeoverMessage.OwnershipClaim(term, self, blocks));
        acknowledged.clear();
        repeatAt = now;
    }

    /** Another spawner claims blocks; returns those that were not its own until now. */
    public List<Integer> claimed(WorkerId from, TakeoverMessage.OwnershipClaim other, SpawnerTurn turn) {
        List<Integer> gained = owners.claimed(other.term(), other.spawner(), other.blocks());
        turn.send(from, new TakeoverMessage.OwnershipClaimAck(other.term()));
        boolean outdated = other.blocks().stream()
                .anyMatch(block -> owners.ownerOf(block).filter(self::equals).isPresent());
        if (outdated) {
            claim.ifPresent(own -> turn.send(from, own));
        }
        return gained;
    }

    public void acknowledged(WorkerId from, GroupTerm term) {
        if (claim.filter(own -> own.term().equals(term)).isPresent()) {
            acknowledged.add(from);
        }
    }

    /** Repeats the claim to spawners that have not acknowledged it. */
    public void tick(Collection<Member> others, SpawnerTurn turn) {
        if (claim.isEmpty()) {
            return;
        }
        boolean isAcknowledgedByAll = others.stream().map(Member::id).allMatch(acknowledged::contains);
        if (!isAcknowledgedByAll && turn.now() >= repeatAt) {
            repeatAt = turn.now() + retry;
            others.stream()
                    .map(Member::id)
                    .filter(id -> !acknowledged.contains(id))
                    .forEach(id -> turn.send(id, claim.get()));
        }
        if (!isAcknowledgedByAll) {
            turn.wakeAt(repeatAt);
        }
    }

    /**
     * Dead owners whose blocks this spawner takes over now: at once if it is the first in the ring and has a replica of the
     * directory, later the farther it is; without a replica only when all spawners that have one are dead.
     *
     * @param living all living spawners but this one
     */
    public List<WorkerId> ownersToReplace(
            NavigableSet<WorkerId> living, Predicate<WorkerId> isCopied, boolean leads, SpawnerTurn turn) {
        Set<WorkerId> dead = new TreeSet<>();
        for (TakeoverMessage.GroupPlan group : owners.groups()) {
            WorkerId owner = group.spawner().id();
            if (!owner.equals(self.id()) && !living.contains(owner)) {
                dead.add(owner);
            }
        }
        deadSince.keySet().retainAll(dead);
        List<WorkerId> mine = new ArrayList<>();
        for (WorkerId owner : dead) {
            long since = deadSince.computeIfAbsent(owner, id -> turn.now());
            List<WorkerId> before = ElectionParticipant.successors(owner, living).stream()
                    .takeWhile(id -> isBefore(owner, id))
                    .toList();
            long wait = isCopied.test(owner)
                    ? before.size() * patience / 4
                    : before.isEmpty() ? 2 * patience : leads ? 3 * patience : Long.MAX_VALUE - since;
            if (turn.now() >= since + wait) {
                mine.add(owner);
            } else {
                turn.wakeAt(since + wait);
            }
        }
        return mine;
    }

    /** Whether another spawner comes before this one in the ring. */
    private boolean isBefore(WorkerId owner, WorkerId other) {
        boolean wraps = self.id().compareTo(owner) < 0;
        boolean behind = other.compareTo(owner) > 0;
        boolean ahead = other.compareTo(self.id()) < 0;
        return wraps ? behind || ahead : behind && ahead;
    }

    public GroupOwners owners() {
        return owners;
    }

    public int entries() {
        return owners.entries() + acknowledged.size() + deadSince.size();
    }
}
