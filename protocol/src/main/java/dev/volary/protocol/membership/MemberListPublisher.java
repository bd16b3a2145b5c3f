// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/** Publishes the list of a group's members as its owner: versioned, and repeated to each member until acknowledged. */
public final class MemberListPublisher {
    /** Versions of a later epoch differ above these bits. */
    private static final int PER_EPOCH = 32;

    private final WorkerId self;
    private final long retry;
    private final TreeMap<WorkerId, Boolean> acknowledged = new TreeMap<>();
    private MembershipMessage.MemberListUpdate list;
    private long repeatAt = Long.MAX_VALUE;

    /** An empty list of the owner {@code self}, repeated after {@code retry}. */
    public MemberListPublisher(WorkerId self, Duration retry) {
        this.self = self;
        this.retry = retry.toNanos();
        this.list = new MembershipMessage.MemberListUpdate(0, self, List.of());
    }

    /** The first version of an epoch, for members that know its owner before they have received a list. */
    public static long first(long epoch) {
        return epoch << PER_EPOCH;
    }

    /**
     * Takes the members as they are now, the owner included; returns whether that is a new version.
     *
     * @param epoch of this owner; every version of a later one is newer
     */
    public boolean set(long epoch, List<Member> members, long now) {
        if (members.equals(list.members()) && list.version() >= first(epoch)) {
            return false;
        }
        list = new MembershipMessage.MemberListUpdate(Math.max(first(epoch), list.version()) + 1, self, members);
        acknowledged.clear();
        members.stream()
                .filter(member -> !member.id().equals(self))
                .forEach(member -> acknowledged.put(member.id(), false));
        repeatAt = now;
        return true;
    }

    /** A member has this version. */
    public void acknowledged(WorkerId from, long version) {
        if (version == list.version()) {
            acknowledged.computeIfPresent(from, (id, before) -> true);
        }
    }

    /** A member has forgotten the list: sends it again. */
    public void sendAgain(WorkerId member, long now) {
        if (acknowledged.computeIfPresent(member, (id, before) -> false) != null) {
            repeatAt = now;
        }
    }

    /** Sends the list to members that have not acknowledged it. */
    public void tick(Turn turn) {
        if (!acknowledged.containsValue(false)) {
            repeatAt = Long.MAX_VALUE;
        } else if (turn.now() >= repeatAt) {
            repeatAt = turn.now() + retry;
            acknowledged.forEach((member, isAcknowledged) -> {
                if (!isAcknowledged) {
                    turn.send(member, list);
                }
            });
        }
        turn.wakeAt(repeatAt);
    }

    /** The list as a {@link FailureDetector} takes it. */
    public MemberList memberList() {
        return toMemberList(list);
    }

    /** A received list, as a {@link FailureDetector} takes it. */
    public static MemberList toMemberList(MembershipMessage.MemberListUpdate list) {
        return new MemberList(
                list.version(),
                list.owner(),
                list.members().stream()
                        .map(member -> new WatchedMember(member.id(), member.zone()))
                        .toList());
    }

    /** Entries held. */
    public int entries() {
        return acknowledged.size() + list.members().size();
    }
}
