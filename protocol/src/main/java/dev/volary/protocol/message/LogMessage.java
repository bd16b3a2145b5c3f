// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import java.util.List;

/** The leader's replicated log; the names are those of Multi-Paxos. */
public sealed interface LogMessage extends ToSpawner {

    /**
     * The leader writes into a member's copy of its log. Repeated until {@link AppendAck}.
     *
     * @param after position that the copy has already, under this term; 0 clears the copy first
     * @param position of the newest record
     * @param records the newest of each kind behind {@code after}
     */
    record Append(long term, long after, long position, List<LogEntry> records) implements LogMessage {
        public Append {
            records = List.copyOf(records);
        }
    }

    /** The copy has everything up to this position. */
    record AppendAck(long term, long position) implements LogMessage {}

    /** The sender wants to lead under this term: take nothing more from older ones, and send what the copy holds. */
    record Prepare(long term) implements LogMessage {}

    /** Promised. */
    record Promise(long term, List<LogEntry> records) implements LogMessage {
        public Promise {
            records = List.copyOf(records);
        }
    }

    /** This copy is promised to a newer term. */
    record PrepareRejected(long promised) implements LogMessage {}
}
