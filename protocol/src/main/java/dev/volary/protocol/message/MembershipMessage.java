// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.IterationCounter;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.List;

/** Monitoring and failure detection (docs/explanation/failure-detection.md, "the default strategy"). */
public sealed interface MembershipMessage extends ToSpawner {

    /**
     * What the members of a group send each other to find out who is dead. None of these needs a reliable link: whatever
     * matters is repeated. Each of them is a sign of life of its sender.
     */
    sealed interface PeerMessage extends MembershipMessage, ToDaemon {}

    /**
     * I live.
     *
     * @param intervalNanos nanoseconds until the sender's next heartbeat to this receiver
     * @param leaving the sender is about to end
     * @param counters how far the sender's blocks are; empty while it computes nothing
     * @param delayNanos how late the sender's wake-ups were recently, at most, in nanoseconds; 0 if it runs when it has to
     */
    record Heartbeat(long intervalNanos, boolean leaving, List<IterationCounter> counters, long delayNanos)
            implements PeerMessage {
        public Heartbeat {
            counters = List.copyOf(counters);
        }
    }

    /**
     * To the suspect: do you live? To others: what do you know of it? A receiver without a recent sign of life from the suspect
     * probes it too.
     */
    record Probe(WorkerId suspect) implements PeerMessage {}

    /**
     * What the sender knows of the suspect; sent at once, and again as soon as the suspect answers the sender.
     *
     * @param silentNanos age of the newest sign of life, in nanoseconds; {@link Long#MAX_VALUE} if there never was one
     * @param refused whether a connection to it was reset or refused since
     * @param delayNanos how late the suspect's wake-ups were, as its last heartbeat to the sender says, or the sender's own if
     *     these were later
     */
    record ProbeAnswer(WorkerId suspect, long silentNanos, boolean refused, long delayNanos) implements PeerMessage {}

    /** The suspect's answer to a {@link Probe}: it lives. */
    record Refutation() implements PeerMessage {}

    /** Whom the sender suspects; to the owner, repeated until the suspects live or are declared. */
    record Suspicions(List<Suspicion> suspicions) implements PeerMessage {
        public Suspicions {
            suspicions = List.copyOf(suspicions);
        }
    }

    /** The sender is about to end. Repeated until it is declared. */
    record Departing() implements PeerMessage {}

    /**
     * Verdicts: to members that still report the suspects, to the declared ones if they still send, and to all if the owner is
     * declared.
     */
    record VerdictAnnouncement(List<FailureVerdict> verdicts) implements PeerMessage {
        public VerdictAnnouncement {
            verdicts = List.copyOf(verdicts);
        }
    }

    /**
     * The members that monitor each other: from a group's owner to its daemons, from the leader to the spawners. Repeated until
     * {@link MemberListAck}.
     *
     * @param version grows with each change; of the spawners' list also with the leader's term
     * @param members the owner included
     */
    record MemberListUpdate(long version, WorkerId owner, List<Member> members) implements MembershipMessage, ToDaemon {
        public MemberListUpdate {
            members = List.copyOf(members);
        }
    }

    /** The receiver of {@link MemberListUpdate} has this version. */
    record MemberListAck(long version) implements MembershipMessage {}

    /**
     * One member's suspicion of another.
     *
     * @param member the suspect
     * @param evidence why
     * @param silentNanos age of the newest sign of life that the sender knows of; for {@link Evidence#STUCK} time without an
     *     iteration
     * @param delayNanos how late the suspect's wake-ups were, as its last heartbeat says, or the sender's own if these were later
     */
    record Suspicion(WorkerId member, Evidence evidence, long silentNanos, long delayNanos) {}

    /** Why a member is suspected. */
    enum Evidence {
        /** Nothing was received from it. */
        SILENT,
        /** A connection to it was reset or refused. */
        REFUSED,
        /** The platform reports that it is ending or has ended. */
        HINTED,
        /** It sends heartbeats but does not iterate. */
        STUCK,
        /** It announced that it leaves. */
        LEFT
    }
}
