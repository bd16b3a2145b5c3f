// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.arbiter;

import dev.volary.protocol.machine.LeaderElectionRecord;

/** The arbiter of a local job: a record in the parent's memory. */
public final class MemoryArbiter implements Arbiter {
    private LeaderElectionRecord record = LeaderElectionRecord.EMPTY;

    @Override
    public synchronized LeaderElectionRecord read() {
        return record;
    }

    @Override
    public boolean exists() {
        return true;
    }

    @Override
    public synchronized LeaderElectionRecord compareAndSet(LeaderElectionRecord expected, LeaderElectionRecord next) {
        if (record.equals(expected) && next.follows(record)) {
            record = next;
        }
        return record;
    }
}
