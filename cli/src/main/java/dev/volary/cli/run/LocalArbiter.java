package dev.volary.cli.run;

import dev.volary.protocol.ArbiterRecord;

/** The arbiter of a local job: one record in the parent's memory, changed by compare-and-set. Confined to one thread. */
final class LocalArbiter {
    private ArbiterRecord record = ArbiterRecord.EMPTY;

    ArbiterRecord read() {
        return record;
    }

    /**
     * Replaces the record if it still is {@code expected}.
     *
     * @return the record as it is now: {@code next} if the caller won
     */
    ArbiterRecord compareAndSet(ArbiterRecord expected, ArbiterRecord next) {
        if (record.equals(expected) && next.term() > record.term()) {
            record = next;
        }
        return record;
    }
}
