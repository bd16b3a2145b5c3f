// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends verdicts to other members. A verdict on the owner is announced to all, several times. A declared member that still sends
 * receives its own, also after it has left the group: the newest verdicts on former members are remembered.
 */
final class VerdictPublisher {
    /** Verdicts on former members that are kept, the newest ones: a member that comes back receives its own. */
    private static final int REMEMBERED = 64;
    /** How often the verdict on the owner is announced to all. */
    private static final int ANNOUNCEMENTS = 3;

    private final MembershipView view;
    private final Map<WorkerId, FailureVerdict> remembered = new LinkedHashMap<>();
    private List<FailureVerdict> announced = List.of();
    private int announcements;
    private long announceAt;

    VerdictPublisher(MembershipView view) {
        this.view = view;
    }

    /** The group has changed: remembers verdicts on former members, and announces no earlier one. */
    void groupChanged(Map<WorkerId, FailureVerdict> onFormerMembers) {
        remembered.putAll(onFormerMembers);
        while (remembered.size() > REMEMBERED) {
            remembered.remove(remembered.keySet().iterator().next());
        }
        announced = List.of();
    }

    /** Sends the verdict on a member, if there is one: that member still sends, or another one still reports it. */
    void send(WorkerId to, PeerState peerState, Turn turn) {
        peerState.verdict().ifPresent(verdict -> send(to, verdict, turn));
    }

    /** Sends the verdict on a former member, if there is one that is remembered. */
    void sendRemembered(WorkerId to, WorkerId member, Turn turn) {
        FailureVerdict verdict = remembered.get(member);
        if (verdict != null) {
            send(to, verdict, turn);
        }
    }

    private void send(WorkerId to, FailureVerdict verdict, Turn turn) {
        view.send(to, new MembershipMessage.VerdictAnnouncement(List.of(verdict)), turn);
    }

    /** This member has declared others dead. If it is not the owner, then the owner is dead, which the others need to know. */
    void declared(List<FailureVerdict> verdicts, long now) {
        if (!view.isOwner() && !verdicts.isEmpty()) {
            announced = verdicts;
            announcements = 0;
            announceAt = now;
        }
    }

    /** Announces the verdict on the owner to the others, if it is time to. */
    void tick(Turn turn) {
        if (announced.isEmpty() || turn.now() < announceAt) {
            return;
        }
        for (WorkerId other : view.others()) {
            if (announced.stream().noneMatch(verdict -> verdict.member().equals(other))) {
                view.send(other, new MembershipMessage.VerdictAnnouncement(announced), turn);
            }
        }
        announcements++;
        announceAt = turn.now() + view.config.batchNanos();
        announced = announcements < ANNOUNCEMENTS ? announced : List.of();
    }

    /** When the next announcement is due; {@link Long#MAX_VALUE} without one. */
    long wakeUp() {
        return announced.isEmpty() ? Long.MAX_VALUE : announceAt;
    }

    int entries() {
        return remembered.size();
    }
}
