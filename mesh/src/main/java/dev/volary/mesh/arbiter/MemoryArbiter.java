package dev.volary.mesh.arbiter;

import dev.volary.protocol.ArbiterRecord;

/** The arbiter of a local job: a record in the parent's memory. */
public final class MemoryArbiter implements Arbiter {
    private ArbiterRecord record = ArbiterRecord.EMPTY;

    @Override
    public synchronized ArbiterRecord read() {
        return record;
    }

    @Override
    public synchronized ArbiterRecord compareAndSet(ArbiterRecord expected, ArbiterRecord next) {
        if (record.equals(expected) && next.follows(record)) {
            record = next;
        }
        return record;
    }
}
