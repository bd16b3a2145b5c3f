package dev.volary.cli.run;

import dev.volary.protocol.ArbiterRecord;

/** The arbiter of a local job: one record in the parent's memory, changed by compare-and-set. Confined to one thread. */
final class LocalArbiter {
    private ArbiterRecord record = ArbiterRecord.EMPTY;

    ArbiterRecord read() {
        return record;
    }

    /**
     * Replaces the record if it still is {@code expected}: by one of a higher term, or with other members of the log.
     *
     * @return the record as it is now: {@code next} if the caller won
     */
    ArbiterRecord compareAndSet(ArbiterRecord expected, ArbiterRecord next) {
        boolean sameLead = next.term() == record.term() && next.lead().equals(record.lead());
        if (record.equals(expected) && (sameLead || next.term() > record.term())) {
            record = next;
        }
        return record;
    }
}
