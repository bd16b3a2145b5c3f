// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.stepping;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;

/**
 * What the daemons of a group were ordered to commit, and what they have stored, as they report it to their new spawner. The
 * leader receives it: where the log is lost with all of its members, only the daemons know. Of a commit that only some have
 * received, the others know where their own parts are.
 */
public final class RecoveredSteps {
    private Optional<CommittedStep> newest = Optional.empty();
    private Optional<CommittedStep> stored = Optional.empty();
    private Optional<WorkerId> reported = Optional.empty();

    /** A daemon, or another spawner, knows of a commit. Parts of one vector add up. */
    public void known(StepMessage.KnownSteps known) {
        Optional<CommittedStep> before = newest;
        Optional<CommittedStep> storedBefore = stored;
        newest = newer(newest, known.newest());
        stored = newer(stored, known.stored());
        if (!newest.equals(before) || !stored.equals(storedBefore)) {
            reported = Optional.empty();
        }
    }

    /** A commit passes through this spawner: its leader knows it. */
    public void committed(CommittedStep record) {
        newest = newer(newest, Optional.of(record));
    }

    /** A part of a step's snapshot is in the sink, as the leader learns from the snapshot itself. */
    public void stored(int step, SnapshotMessage.SnapshotStored part) {
        if (step > 0) {
            SnapshotMessage.StoredPart there = new SnapshotMessage.StoredPart(part.part(), part.checksum());
            stored = newer(
                    stored, Optional.of(new CommittedStep(step, part.sid(), Double.POSITIVE_INFINITY, List.of(there))));
        }
    }

    private static Optional<CommittedStep> newer(Optional<CommittedStep> known, Optional<CommittedStep> record) {
        if (known.isEmpty() || record.isEmpty()) {
            return known.or(() -> record);
        }
        if (known.get().sameVector(record.get())) {
            return Optional.of(known.get().and(record.get()));
        }
        return CommittedStep.ORDER.compare(record.get(), known.get()) > 0 ? record : known;
    }

    /** The newest known commit, with the parts that were named. */
    public Optional<CommittedStep> newest() {
        return newest.map(
                record -> stored.filter(record::sameVector).map(record::and).orElse(record));
    }

    /** Reports to a leader other than {@code self} what it may not know. */
    public void tick(WorkerId self, Optional<WorkerId> leader, SpawnerTurn turn) {
        boolean something = newest.isPresent() || stored.isPresent();
        if (something && leader.isPresent() && !leader.equals(reported)) {
            reported = leader;
            if (!leader.get().equals(self)) {
                turn.send(leader.get(), new StepMessage.KnownSteps(newest, stored));
            }
        }
    }

    /** Entries held. */
    public int entries() {
        return newest.map(record -> record.parts().size()).orElse(0)
                + stored.map(record -> record.parts().size()).orElse(0);
    }
}
