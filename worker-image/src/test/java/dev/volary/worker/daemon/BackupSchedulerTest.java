// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BackupSchedulerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final double TOLERANCE = 1e-8;

    private static final OptionalLong UNCHANGED = OptionalLong.empty();

    private static List<BlockProgress> at(long iteration) {
        return at(iteration, 1);
    }

    private static List<BlockProgress> at(long iteration, double hint) {
        return List.of(new BlockProgress(
                0, new Incarnation(new GroupTerm(1, new WorkerId(1)), 1), iteration, iteration, hint, 0, 0));
    }

    /**
     * The hint falls by this factor in each iteration, of a tenth of a second, and holders are reached from the tenth on. Returns
     * the iteration at which the first backup is asked for.
     */
    private static int firstBackup(double factor, int lost) {
        BackupScheduler scheduler = started(1 << 20);
        for (int iteration = 1; ; iteration++) {
            int holders = iteration < 10 ? 0 : 3;
            List<BlockProgress> sample = at(iteration, Math.pow(factor, iteration));
            if (scheduler
                    .sampled(sample, holders, lost, iteration * SECOND / 10)
                    .isPresent()) {
                return iteration;
            }
        }
    }

    /** A scheduler of blocks of this size that has its first sample. */
    private static BackupScheduler started(long bytes) {
        BackupScheduler scheduler = new BackupScheduler(0, 4, bytes, TOLERANCE, 0);
        assertEquals(UNCHANGED, scheduler.sampled(at(0), 0, 0, 0));
        return scheduler;
    }

    /** A measured scheduler that has its first sample, and as many copies as it needs to be sure, each of which took this time. */
    private static BackupScheduler afterCopies(long nanos) {
        BackupScheduler scheduler = started(1 << 20);
        copyThrice(scheduler, nanos);
        return scheduler;
    }

    private static void copyThrice(BackupScheduler scheduler, long nanos) {
        for (int copy = 0; copy < 3; copy++) {
            scheduler.copied(nanos, 1 << 20);
        }
    }

    @Test
    void aGivenIntervalHoldsWhileAHolderCanBeReached() {
        BackupScheduler scheduler = new BackupScheduler(100, 4, 1 << 20, TOLERANCE, 0);
        assertEquals(UNCHANGED, scheduler.sampled(at(1), 0, 0, SECOND));
        assertEquals(OptionalLong.of(100), scheduler.sampled(at(10), 3, 0, 2 * SECOND));
        assertEquals(UNCHANGED, scheduler.sampled(at(20), 3, 0, 60 * SECOND));
        assertEquals(OptionalLong.of(0), scheduler.sampled(at(30), 0, 0, 61 * SECOND));
    }

    @Test
    void aDaemonBacksUpAsOftenAsTheManifestSays() {
        JobDescription.Builder job = JobDescription.newBuilder().setBlocks(4);
        BackupScheduler given = BackupScheduler.of(job.setCheckpointEvery(123).build(), 1 << 19, 0);
        assertEquals(UNCHANGED, given.sampled(at(0), 0, 0, 0));
        assertEquals(OptionalLong.of(123), given.sampled(at(10), 3, 0, SECOND));
        BackupScheduler measuring = BackupScheduler.of(job.setCheckpointEvery(0).build(), 1 << 19, 0);
        assertEquals(UNCHANGED, measuring.sampled(at(0), 0, 0, 0));
        copyThrice(measuring, SECOND / 20);
        assertEquals(OptionalLong.of(657), measuring.sampled(at(10), 3, 0, SECOND), "as below");
    }

    /**
     * Λ = 4/86404 per node-second of the prior and the 1 s seen, φ = 1/2, C = 50 ms: √(2C/(Λφ)) = 65.7 s
     * (docs/explanation/backups-and-checkpoints.md, "how often").
     */
    @Test
    void anAutomaticIntervalFollowsTheMeasuredCost() {
        BackupScheduler scheduler = afterCopies(SECOND / 20);
        assertEquals(OptionalLong.of(657), scheduler.sampled(at(10), 3, 0, SECOND), "at 0.1 s for each iteration");
    }

    /** The first backup does not wait for an interval: without it the block would begin again. */
    @Test
    void theFirstBackupIsMadeAtOnceTheNextTwoSoonAndTheOthersAtTheInterval() {
        BackupScheduler scheduler = started(1 << 20);
        assertEquals(UNCHANGED, scheduler.sampled(at(10), 0, 0, SECOND), "no holder yet");
        assertEquals(OptionalLong.of(1), scheduler.sampled(at(20), 3, 0, 2 * SECOND));
        assertEquals(UNCHANGED, scheduler.sampled(at(22), 3, 0, 2 * SECOND + SECOND / 5), "not copied yet");
        scheduler.copied(SECOND / 20, 1 << 20);
        assertEquals(OptionalLong.of(20), scheduler.sampled(at(30), 3, 0, 3 * SECOND), "2 s");
        scheduler.copied(SECOND / 20, 1 << 20);
        scheduler.copied(SECOND / 20, 1 << 20);
        double next = scheduler.sampled(at(80), 3, 0, 8 * SECOND).orElseThrow();
        assertEquals(657, next, 5);
        assertEquals(UNCHANGED, scheduler.sampled(at(90), 3, 0, 9 * SECOND));
    }

    /** The hints reach 10⁻⁸ after 1.6 s. The job lasts longer, so the daemon makes a backup 5 s after its first iteration. */
    @Test
    void aJobThatEndsInAMomentMakesNoBackup() {
        double factor = Math.pow(10, -0.5);
        assertEquals(51, firstBackup(factor, 0));
        assertEquals(10, firstBackup(factor, 1), "workers fail");
        assertEquals(10, firstBackup(0.9, 0), "it takes 17 s");
    }

    /** As above. */
    @Test
    void aJobThatEndsInAMomentNeedsNothingForBackups() {
        double factor = Math.pow(10, -0.5);
        assertTrue(needsNoBackup(factor, 0, 10));
        assertFalse(needsNoBackup(factor, 0, 51), "it goes on");
        assertFalse(needsNoBackup(factor, 1, 10), "workers fail");
        assertFalse(needsNoBackup(0.9, 0, 10), "it takes 17 s");
    }

    private static boolean needsNoBackup(double factor, int lost, int iterations) {
        BackupScheduler scheduler = started(1 << 20);
        for (int iteration = 1; iteration <= iterations; iteration++) {
            List<BlockProgress> sample = at(iteration, Math.pow(factor, iteration));
            OptionalLong _ = scheduler.sampled(sample, 0, lost, iteration * SECOND / 10);
        }
        return scheduler.endsWithoutBackup(iterations * SECOND / 10);
    }

    /** Half a second for the first copy of 8 KB would make it 208 s: a block lost after half a minute would begin again. */
    @Test
    void aFirstCopyThatLostItsCoreDoesNotMakeBackupsRare() {
        BackupScheduler scheduler = started(8192);
        scheduler.copied(SECOND / 2, 8192);
        assertEquals(OptionalLong.of(20), scheduler.sampled(at(10), 3, 0, SECOND), "2 s");
        scheduler.copied(SECOND / 10_000, 8192);
        scheduler.copied(SECOND / 10_000, 8192);
        assertEquals(
                OptionalLong.of(29),
                scheduler.sampled(at(60), 3, 0, 6 * SECOND),
                "√(2 · 0.0001/(4/86424 · 1/2)) = 2.9 s");
    }

    @Test
    void aLargeBlockIsBackedUpAsSoonAsTheNetworkAllows() {
        BackupScheduler scheduler = started(125_000_000);
        scheduler.copied(SECOND / 20, 125_000_000);
        assertEquals(OptionalLong.of(200), scheduler.sampled(at(10), 3, 0, SECOND), "a twentieth of 1 Gbit/s");
    }

    @Test
    void oneSlowCopyDoesNotMakeBackupsRare() {
        BackupScheduler scheduler = afterCopies(SECOND / 20);
        scheduler.copied(10 * SECOND, 1 << 20);
        double longer = scheduler.sampled(at(10), 3, 0, SECOND).orElseThrow();
        assertEquals(735, longer, 1, "√1.25 times 657");
        scheduler.copied(SECOND / 20, 1 << 20);
        assertEquals(UNCHANGED, scheduler.sampled(at(70), 3, 0, 7 * SECOND));
    }

    @Test
    void anAutomaticIntervalIsReportedAgainOnlyAfterALargeChange() {
        BackupScheduler scheduler = afterCopies(SECOND / 20);
        assertEquals(OptionalLong.of(657), scheduler.sampled(at(10), 3, 0, SECOND));
        assertEquals(UNCHANGED, scheduler.sampled(at(100), 3, 0, 10 * SECOND));
        for (int i = 0; i < 20; i++) {
            scheduler.copied(SECOND, 1 << 20);
        }
        double longer = scheduler.sampled(at(200), 3, 0, 20 * SECOND).orElseThrow();
        assertEquals(2938, longer, 30, "√20 times as long, and a little for the 80 node-seconds seen");
    }

    /** 10.4 ms of work a backup: a thousandth of 10.4 s. One of four lost in 100 s: √(2·0.0104/(4/400·1/2)) = 2.04 s. */
    @Test
    void aFailureChangesTheIntervalAtOnce() {
        BackupScheduler scheduler = afterCopies(SECOND / 100_000);
        assertEquals(
                OptionalLong.of(104), scheduler.sampled(at(990), 3, 0, 99 * SECOND), "at 0.1 s for each iteration");
        assertEquals(OptionalLong.of(20), scheduler.sampled(at(1000), 3, 1, 100 * SECOND));
    }

    /** As above, with one failure of three holders and itself in the 2 s since the start: √(2·0.0104/(4/8·1/2)) = 0.29 s. */
    @Test
    void aDaemonThatContinuesABlockKnowsOfAFailure() {
        BackupScheduler scheduler = new BackupScheduler(0, 4, 1 << 20, TOLERANCE, 0);
        scheduler.tookOver();
        assertEquals(UNCHANGED, scheduler.sampled(at(0), 3, 0, 0));
        assertEquals(OptionalLong.of(1), scheduler.sampled(at(10), 3, 0, SECOND));
        scheduler.copied(SECOND / 100_000, 1 << 20);
        assertEquals(OptionalLong.of(3), scheduler.sampled(at(20), 3, 0, 2 * SECOND));
        double later = scheduler.sampled(at(200), 3, 0, 20 * SECOND).orElseThrow();
        assertEquals(9.1, later, 0.5, "√10 times as long");
    }

    /** A block that a new daemon continues becomes 20 times faster within a second or two, as its code is compiled. */
    @Test
    void iterationsThatBecomeFasterChangeTheIntervalWithoutDelay() {
        BackupScheduler scheduler = afterCopies(SECOND / 20);
        assertEquals(OptionalLong.of(657), scheduler.sampled(at(10), 3, 0, SECOND), "at 0.1 s for each iteration");
        double inForce = 657;
        for (int tenth = 1; tenth <= 20; tenth++) {
            long now = SECOND + tenth * SECOND / 10;
            OptionalLong next = scheduler.sampled(at(10 + 20L * tenth), 3, 0, now);
            inForce = next.isPresent() ? next.getAsLong() : inForce;
        }
        assertEquals(65.7 / 0.005, inForce, 0.5 * 65.7 / 0.005);
    }
}
