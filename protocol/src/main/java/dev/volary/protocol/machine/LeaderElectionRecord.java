// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;

/**
 * What the arbiter keeps: the leader, its term and the members of its log. Changed only by compare-and-set.
 *
 * @param leader the leader, if there ever was one
 * @param term grows by one with each change of leader; 0 at first
 * @param logMembers spawners that keep the leader's log
 */
public record LeaderElectionRecord(Optional<WorkerId> leader, long term, List<WorkerId> logMembers) {

    /** Before there was a leader. */
    public static final LeaderElectionRecord EMPTY = new LeaderElectionRecord(Optional.empty(), 0, List.of());

    public LeaderElectionRecord {
        logMembers = List.copyOf(logMembers);
    }

    /** Whether it may come after {@code before}: it is of a higher term, or of the same leader with other members of its log. */
    public boolean follows(LeaderElectionRecord before) {
        return term > before.term || (term == before.term && leader.equals(before.leader));
    }
}
