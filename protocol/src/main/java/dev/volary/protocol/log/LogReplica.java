// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.log;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.model.WorkerId;
import java.util.List;

/** One spawner's copy of the leader's log. A promise to a new leader's term shuts out the writes of all older ones. */
public final class LogReplica {
    private final CompactedLog contents = new CompactedLog();
    private long promised;
    private long term;
    private long position;

    /** A leader writes; the answer says how far this copy goes, or which term shuts the writer out. */
    public void write(WorkerId from, LogMessage.Append write, SpawnerTurn turn) {
        if (write.term() < Math.max(promised, term)) {
            turn.send(from, new LogMessage.PrepareRejected(Math.max(promised, term)));
            return;
        }
        if (write.term() != term && write.after() == 0) {
            contents.clear();
            term = write.term();
            position = 0;
        }
        if (write.term() == term && write.after() <= position) {
            if (write.position() > position) {
                write.records().forEach(record -> contents.put(write.position(), record));
                position = write.position();
            }
            turn.send(from, new LogMessage.AppendAck(term, position));
        }
    }

    /**
     * Takes nothing more from terms before this one.
     *
     * @return the newest record of each kind: whatever counted under an older term is among them
     */
    public List<LogEntry> promise(long newTerm) {
        promised = Math.max(promised, newTerm);
        return contents.after(0);
    }

    /** Another spawner wants to lead, and asks for the promise. */
    public void promise(WorkerId from, LogMessage.Prepare request, SpawnerTurn turn) {
        List<LogEntry> records = promise(request.term());
        if (promised > request.term()) {
            turn.send(from, new LogMessage.PrepareRejected(promised));
        } else {
            turn.send(from, new LogMessage.Promise(request.term(), records));
        }
    }

    /** Entries held. */
    public int entries() {
        return contents.entries();
    }
}
