// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.placement.DaemonReservations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Replicas of block directories: of this spawner's group at its next successors in the ring, and of other groups here. A
 * replica may be slightly stale: a spawner that takes a group over also receives reports of what its daemons compute.
 */
public final class DirectoryReplicas {
    private static final int SUCCESSORS = 2;

    private final long retry;
    private final TreeMap<WorkerId, Long> copied = new TreeMap<>();
    private final TreeMap<WorkerId, TakeoverMessage.DirectoryReplica> others = new TreeMap<>();
    private Optional<TakeoverMessage.DirectoryReplica> own = Optional.empty();
    private long seen = -1;
    private long repeatAt = Long.MIN_VALUE;

    public DirectoryReplicas(Duration retry) {
        this.retry = retry.toNanos();
    }

    /** Another owner's directory. */
    public void copy(WorkerId from, TakeoverMessage.DirectoryReplica copy, SpawnerTurn turn) {
        TakeoverMessage.DirectoryReplica known = others.get(from);
        boolean newer = known == null
                || known.term().compareTo(copy.term()) < 0
                || (known.term().equals(copy.term()) && known.version() < copy.version());
        if (newer) {
            others.put(from, copy);
        }
        turn.send(from, new TakeoverMessage.DirectoryReplicaAck(copy.term(), copy.version()));
    }

    /** A successor has this version. */
    public void copied(WorkerId from, GroupTerm term, long version) {
        if (own.filter(copy -> copy.term().equals(term)).isPresent()) {
            copied.merge(from, version, Math::max);
        }
    }

    public boolean has(WorkerId owner) {
        return others.containsKey(owner);
    }

    /** Of the other groups, as far as there are copies here. */
    public List<Member> daemons() {
        return others.values().stream().flatMap(copy -> copy.daemons().stream()).toList();
    }

    /** The replica of a dead owner's directory; it is needed once. */
    public Optional<TakeoverMessage.DirectoryReplica> take(WorkerId owner) {
        return Optional.ofNullable(others.remove(owner));
    }

    /** Sends the directory where it has changed. */
    public void tick(BlockAssignments group, DaemonReservations daemons, List<WorkerId> successors, SpawnerTurn turn) {
        long version = group.version() + daemons.version();
        boolean renewed = own.filter(copy -> copy.term().equals(group.term())).isEmpty();
        if (renewed || version != seen) {
            seen = version;
            copied.clear();
            own = Optional.of(new TakeoverMessage.DirectoryReplica(
                    group.term(), version, group.blocks(), group.entriesOf(group.blocks()), daemons.members()));
            repeatAt = turn.now();
        }
        List<WorkerId> missing = successors.stream()
                .limit(SUCCESSORS)
                .filter(id -> copied.getOrDefault(id, -1L) < version)
                .toList();
        if (!missing.isEmpty()) {
            if (turn.now() >= repeatAt) {
                repeatAt = turn.now() + retry;
                missing.forEach(id -> turn.send(id, own.orElseThrow()));
            }
            turn.wakeAt(repeatAt);
        }
    }

    public int entries() {
        return copied.size()
                + others.values().stream()
                        .mapToInt(copy -> copy.blocks().size() + copy.daemons().size())
                        .sum();
    }
}
