// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CheckpointScheduleTest {
    private static final long MS = 1_000_000;

    private final CheckpointSchedule schedule = new CheckpointSchedule(true);

    @Test
    void theFirstSnapshotBecomesACheckpoint() {
        assertTrue(schedule.isDue(0));
    }

    @Test
    void nothingIsSavedWhereSnapshotsAreNotKept() {
        CheckpointSchedule disabled = new CheckpointSchedule(false);
        disabled.request();
        assertFalse(disabled.isDue(0));
    }

    @Test
    void savingTakesAtMostATwentiethOfTheTime() {
        schedule.begin(100 * MS);
        schedule.saved(110 * MS);
        assertFalse(schedule.isDue(310 * MS - 1));
        assertTrue(schedule.isDue(310 * MS), "20 times the 10 ms that saving took");
    }

    @Test
    void aCheckpointThatFailsCostsTimeToo() {
        schedule.begin(0);
        schedule.failed(10 * MS);
        assertFalse(schedule.isDue(210 * MS - 1));
        assertTrue(schedule.isDue(210 * MS));
    }

    @Test
    void aRequestedCheckpointIsSavedWithoutAWaitAndOnce() {
        schedule.begin(0);
        schedule.saved(10 * MS);
        schedule.request();
        assertTrue(schedule.isDue(11 * MS));
        schedule.begin(11 * MS);
        schedule.saved(12 * MS);
        assertFalse(schedule.isDue(13 * MS));
    }

    @Test
    void aRequestThatFailsIsTriedAgain() {
        schedule.request();
        schedule.begin(0);
        schedule.failed(10 * MS);
        assertTrue(schedule.isDue(10 * MS));
    }

    @Test
    void aSnapshotIsOnlyACheckpointUntilItIsSavedOrGivenUp() {
        assertFalse(schedule.isSaving());
        schedule.begin(0);
        assertTrue(schedule.isSaving());
        schedule.saved(MS);
        assertFalse(schedule.isSaving());
        schedule.begin(2 * MS);
        schedule.abandon();
        assertFalse(schedule.isSaving());
    }
}
