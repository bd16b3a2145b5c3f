// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.IterationCounter;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A daemon's part in the failure detection of its group. It begins with the first list of the group's owner, and again with the
 * list of another owner or after a verdict on the owner.
 */
public final class DaemonFailureDetection {
    private final WorkerId self;
    private final FailureDetectorConfig config;
    private final long seed;
    /** Survives a change of owners, after which the new one's monitors must know it. */
    private final SchedulingDelay delay;

    private Optional<WorkerId> owner = Optional.empty();
    private FailureDetector detector;
    private Set<WorkerId> members = Set.of();

    /** @param leastDelay by which wake-ups of this daemon may be late at any time */
    public DaemonFailureDetection(WorkerId self, FailureDetectorConfig config, long seed, Duration leastDelay) {
        this.self = self;
        this.config = config;
        this.seed = seed;
        this.delay = new SchedulingDelay(leastDelay.toNanos());
        this.detector = new FailureDetector(self, config, seed, delay);
    }

    /** Takes the owner's list of the group's members. */
    public void updateMembers(MembershipMessage.MemberListUpdate list, DaemonTurn turn) {
        if (owner.filter(list.owner()::equals).isEmpty()) {
            owner = Optional.of(list.owner());
            detector = new FailureDetector(self, config, seed, delay);
        }
        members = list.members().stream().map(Member::id).collect(Collectors.toUnmodifiableSet());
        for (Member member : list.members()) {
            if (!member.id().equals(self)) {
                turn.add(new WorkerAction.AddPeer(member));
            }
        }
        detector.updateMembers(MemberListPublisher.toMemberList(list), turn);
        turn.send(list.owner(), new MembershipMessage.MemberListAck(list.version()));
    }

    /** The members of the owner's newest list, owner and this daemon included. */
    public Set<WorkerId> members() {
        return members;
    }

    public void on(WorkerEvent.PeerEvent event, DaemonTurn turn) {
        detector.on(event, turn);
    }

    public void arrived(WorkerId from, Message message, DaemonTurn turn) {
        detector.arrived(from, message, turn);
    }

    /**
     * Sends heartbeats, and returns the owner if the group has declared it dead; members other than the owner declare only the
     * owner dead.
     */
    public Optional<WorkerId> tick(List<IterationCounter> counters, DaemonTurn turn) {
        detector.setCounters(counters);
        boolean isOwnerDead = detector.tick(turn).stream()
                .anyMatch(verdict -> owner.filter(verdict.member()::equals).isPresent());
        Optional<WorkerId> lost = isOwnerDead ? owner : Optional.empty();
        // The old detector goes on announcing the verdict to the others, until there is a new list.
        owner = isOwnerDead ? Optional.empty() : owner;
        return lost;
    }

    /** How much longer than usual others may be silent, in nanoseconds, because this daemon runs late. */
    public long allowanceNanos(long now) {
        return config.allowanceNanos(delay.longest(now));
    }

    public int entries() {
        return detector.entries() + members.size();
    }
}
