// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import static dev.volary.protocol.Samples.group;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.stepping.StepLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Groups 1 and 2 have a block each, group 3 has none. */
class SnapshotSequenceTest {
    private static final long PER_TERM = 1L << 32;
    private static final Member ONE = spawner(1);
    private static final Member TWO = spawner(2);
    private static final List<TakeoverMessage.GroupPlan> GROUPS =
            List.of(group(ONE, 1, 0), group(TWO, 1, 1), group(spawner(3), 1));

    /** Names one step, and takes none. */
    private static final class NamesStep implements StepLog {
        private Optional<CommittedStep> newest = Optional.empty();

        @Override
        public Optional<CommittedStep> newest() {
            return newest;
        }

        @Override
        public void write(CommittedStep record, SpawnerTurn turn) {
            throw new AssertionError("numbers write no step");
        }

        @Override
        public boolean counts(CommittedStep record) {
            return true;
        }
    }

    private final NamesStep log = new NamesStep();
    private final SpawnerTurn turn = new SpawnerTurn(5);

    private SnapshotSequence ofTerm(long term) {
        return new SnapshotSequence(Duration.ofMillis(200), new TakeoverMessage.Plan(term, GROUPS), log, 0);
    }

    private long nextSid(SnapshotSequence snapshots) {
        snapshots.open(0, new SpawnerTurn(5));
        return snapshots.newest().sid();
    }

    @Test
    void numbersCountUpFromATermToTheNext() {
        SnapshotSequence first = ofTerm(1);
        assertEquals(1, nextSid(first));
        assertEquals(2, nextSid(first));
        assertEquals(PER_TERM + 1, nextSid(ofTerm(2)));
    }

    @Test
    void numbersAreAboveThatOfTheStepThatTheLogNames() {
        log.newest = Optional.of(new CommittedStep(1, 5 * PER_TERM + 17, 0.5, List.of()));
        assertEquals(7 * PER_TERM + 1, nextSid(ofTerm(2)));
    }

    @Test
    void numbersSkipAStepThatTheLogNamesLaterAndNeverFall() {
        SnapshotSequence snapshots = ofTerm(1);
        log.newest = Optional.of(new CommittedStep(1, 5 * PER_TERM, 0.5, List.of()));
        snapshots.skipLogged(0, 5);
        assertEquals(6 * PER_TERM + 1, nextSid(snapshots));
        log.newest = Optional.empty();
        snapshots.skipLogged(0, 5);
        assertEquals(6 * PER_TERM + 2, nextSid(snapshots));
    }

    @Test
    void aSnapshotIsOfTheGroupsThatHaveBlocksWhenItOpens() {
        SnapshotSequence snapshots = ofTerm(1);
        snapshots.open(3, turn);
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(turn));
        assertEquals(
                List.of(new SnapshotMessage.RecordBlocks(3, 1), new SnapshotMessage.RecordBlocks(3, 1)),
                messages(turn));
        assertEquals(5, snapshots.newest().openedAt());
    }

    @Test
    void groupsAreOthersOnceTheirBlocksHaveAnotherOwner() {
        SnapshotSequence snapshots = ofTerm(1);
        assertFalse(snapshots.regrouped(GROUPS.reversed()), "the order does not matter");
        assertTrue(snapshots.regrouped(List.of(group(ONE, 2, 0, 1))));
        assertEquals(List.of(ONE.id()), snapshots.owners());
        snapshots.open(0, turn);
        assertEquals(List.of(ONE.id()), receivers(turn));
    }

    @Test
    void allOwnersDropTheRecordsOfADiscardedSnapshot() {
        SnapshotSequence snapshots = ofTerm(1);
        long sid = nextSid(snapshots);
        snapshots.discard(5, turn);
        assertEquals(List.of(ONE.id(), TWO.id()), receivers(turn));
        assertEquals(List.of(new SnapshotMessage.Discard(sid, 5), new SnapshotMessage.Discard(sid, 5)), messages(turn));
    }
}
