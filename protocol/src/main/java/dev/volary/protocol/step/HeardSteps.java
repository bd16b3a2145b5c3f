package dev.volary.protocol.step;

import dev.volary.protocol.Actions;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import java.util.List;
import java.util.Optional;

/**
 * What the daemons of a group were told to commit, and what they have stored, as they tell their new spawner. The lead hears of
 * it: where the log is lost with all of its members, the daemons are the only ones who know. Of a commit that only some have
 * heard of, the others know where their own parts are.
 */
public final class HeardSteps {
    private Optional<StepRecord> newest = Optional.empty();
    private Optional<StepRecord> stored = Optional.empty();
    private Optional<NodeId> told = Optional.empty();

    /** A daemon, or another spawner, knows of a commit. Parts of one vector add up. */
    public void known(Message.StepsKnown known) {
        Optional<StepRecord> before = newest;
        Optional<StepRecord> storedBefore = stored;
        newest = newer(newest, known.newest());
        stored = newer(stored, known.stored());
        if (!newest.equals(before) || !stored.equals(storedBefore)) {
            told = Optional.empty();
        }
    }

    /** A commit passes through this spawner: its lead knows it. */
    public void committed(StepRecord record) {
        newest = newer(newest, Optional.of(record));
    }

    /** A part of a step's snapshot is in the sink, as the lead hears in another way. */
    public void stored(int step, Message.SnapshotStored part) {
        if (step > 0) {
            Message.StoredPart there = new Message.StoredPart(part.part(), part.checksum());
            stored = newer(
                    stored, Optional.of(new StepRecord(step, part.sid(), Double.POSITIVE_INFINITY, List.of(there))));
        }
    }

    private static Optional<StepRecord> newer(Optional<StepRecord> known, Optional<StepRecord> record) {
        if (known.isEmpty() || record.isEmpty()) {
            return known.or(() -> record);
        }
        if (known.get().sameVector(record.get())) {
            return Optional.of(known.get().and(record.get()));
        }
        return StepRecord.ORDER.compare(record.get(), known.get()) > 0 ? record : known;
    }

    /** The newest commit heard of, with the parts that were named. */
    public Optional<StepRecord> newest() {
        return newest.map(
                record -> stored.filter(record::sameVector).map(record::and).orElse(record));
    }

    /** Tells a lead other than {@code self} what it may not know. */
    public void tick(NodeId self, Optional<NodeId> lead, Actions out) {
        boolean something = newest.isPresent() || stored.isPresent();
        if (something && lead.isPresent() && !lead.equals(told)) {
            told = lead;
            if (!lead.get().equals(self)) {
                out.send(lead.get(), new Message.StepsKnown(newest, stored));
            }
        }
    }

    /** Entries held. */
    public int entries() {
        return newest.map(record -> record.parts().size()).orElse(0)
                + stored.map(record -> record.parts().size()).orElse(0);
    }
}
