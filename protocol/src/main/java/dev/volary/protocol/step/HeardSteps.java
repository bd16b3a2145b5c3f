package dev.volary.protocol.step;

import dev.volary.protocol.Actions;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import java.util.Optional;

/**
 * What the daemons of a group were told to commit, as they tell their new spawner. The lead hears of it: where the log is lost
 * with all of its members, the daemons are the only ones who know.
 */
public final class HeardSteps {
    private Optional<StepRecord> newest = Optional.empty();
    private Optional<NodeId> told = Optional.empty();

    /** A daemon, or another spawner, knows of a commit. Parts of one vector add up. */
    public void known(StepRecord record) {
        Optional<StepRecord> before = newest;
        if (newest.isEmpty() || StepRecord.ORDER.compare(record, newest.get()) > 0) {
            newest = Optional.of(record);
        } else if (newest.get().sameVector(record)) {
            newest = Optional.of(newest.get().and(record));
        }
        if (!newest.equals(before)) {
            told = Optional.empty();
        }
    }

    /** The newest commit heard of, with the parts that were named. */
    public Optional<StepRecord> newest() {
        return newest;
    }

    /** Tells a lead other than {@code self} what it may not know. */
    public void tick(NodeId self, Optional<NodeId> lead, Actions out) {
        if (newest.isPresent() && lead.isPresent() && !lead.equals(told)) {
            told = lead;
            if (!lead.get().equals(self)) {
                out.send(lead.get(), new Message.StepsKnown(newest.get()));
            }
        }
    }

    /** Entries held. */
    public int entries() {
        return newest.map(record -> record.parts().size()).orElse(0);
    }
}
