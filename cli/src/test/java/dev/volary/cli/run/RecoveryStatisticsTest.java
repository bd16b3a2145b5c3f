// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.cli.display.FailureSummary;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.model.FailureVerdict.Cause;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What failures cost, with times in milliseconds. */
class RecoveryStatisticsTest {
    private final RecoveryStatistics statistics = new RecoveryStatistics();

    @Test
    void aCrashIsNoticedSoLongAfterTheProcessEnded() {
        statistics.faultInjected("daemon-1", at(1000));
        statistics.ended("daemon-1", at(1003));
        assertEquals(Duration.ofMillis(200), statistics.lost("daemon-1", Cause.DEAD, 0, List.of(2), at(1200)));
        FailureSummary summary = statistics.summary(4, Duration.ofSeconds(10));
        assertEquals(1, summary.provoked());
        assertEquals(1, summary.ended());
        assertEquals(1, summary.lost());
        assertEquals(List.of(Duration.ofMillis(200)), summary.detections());
    }

    @Test
    void aLossThatTheParentDidNotSeeCountsFromTheSilence() {
        assertEquals(
                Duration.ofMillis(1900),
                statistics.lost("daemon-1", Cause.DEAD, Duration.ofMillis(1900).toNanos(), List.of(), at(5000)));
    }

    @Test
    void aDaemonThatLeavesIsNotCountedAsDetected() {
        var _ = statistics.lost("daemon-1", Cause.LEFT, 0, List.of(2), at(5000));
        FailureSummary summary = statistics.summary(4, Duration.ofSeconds(10));
        assertEquals(List.of(), summary.detections());
        assertEquals(1, summary.lost());
    }

    @Test
    void aBlockStandsStillUntilItsNextIncarnationIterates() {
        progress("daemon-1", 1, 500, 0.1, 900);
        statistics.ended("daemon-1", at(1000));
        var _ = statistics.lost("daemon-1", Cause.DEAD, 0, List.of(2), at(1200));
        // What the lost daemon said last may still be on its way; a restored block has a hint when it iterates.
        assertTrue(progress("daemon-1", 1, 510, 0.1, 1210).isEmpty());
        assertTrue(progress("daemon-4", 2, 450, Double.POSITIVE_INFINITY, 1300).isEmpty());
        RecoveryStatistics.Recovery recovery =
                progress("daemon-4", 2, 460, 0.2, 1500).orElseThrow();
        assertEquals(new RecoveryStatistics.Recovery(2, "daemon-4", 460, 40, Duration.ofMillis(500)), recovery);
        assertTrue(progress("daemon-4", 2, 470, 0.2, 1600).isEmpty());
        FailureSummary summary = statistics.summary(4, Duration.ofSeconds(10));
        assertEquals(40, summary.lostIterations());
        // half a second of four blocks in ten seconds
        assertEquals(0.0125, summary.shareStoodStill(), 1e-12);
        // 40 of 510 iterations were computed twice
        assertEquals(40.0 / 510, summary.shareComputedAgain(), 1e-12);
        assertEquals(0.0125 + 40.0 / 510, summary.overhead(), 1e-12);
    }

    @Test
    void iterationsOfCommittedStepsAreNotLost() {
        var _ = inStep(1, 5, 50, 1000);
        var _ = inStep(1, 6, 58, 2000);
        var _ = inStep(1, 6, 61, 2500);
        statistics.ended("daemon-1", at(2600));
        var _ = statistics.lost("daemon-1", Cause.DEAD, 0, List.of(2), at(2700));
        // The backup is of step 3, but step 5 has been committed.
        RecoveryStatistics.Recovery recovery = inStep(2, 6, 31, 3000).orElseThrow();
        assertEquals(3, recovery.lostIterations());
        assertEquals(3, statistics.summary(1, Duration.ofSeconds(3)).lostIterations());
    }

    private Optional<RecoveryStatistics.Recovery> inStep(int counter, int step, long iteration, long millis) {
        Incarnation incarnation = new Incarnation(new GroupTerm(1, new WorkerId(9)), counter);
        return statistics.progress(
                "daemon-" + counter,
                new BlockProgress(2, incarnation, iteration, iteration, 0.1, 0, 0, step, Optional.empty()),
                at(millis));
    }

    @Test
    void aPauseThatWasNotDetectedIsNotCounted() {
        statistics.faultInjected("daemon-1", at(1000));
        statistics.continued("daemon-1");
        statistics.ended("daemon-1", at(9000));
        assertEquals(Duration.ofMillis(100), statistics.lost("daemon-1", Cause.DEAD, 0, List.of(), at(9100)));
    }

    @Test
    void aKillCostsWhatTheSameProgressWouldNotHaveTaken() {
        // Two cores, 100 updates a core-second; before that, compilers take half.
        for (long second = 0; second <= 30; second++) {
            ran(2 * second, second <= 10 ? 100 * second : 1000 + 200 * (second - 10), second);
        }
        assertEquals(
                Optional.empty(), statistics.summary(1, Duration.ofSeconds(30)).cost());
        statistics.ended("daemon-1", at(30_100));
        // Ten seconds later 20 core-seconds have gone, of which the progress needed 14.
        ran(80, 6400, 40);
        FailureSummary.Cost cost =
                statistics.summary(1, Duration.ofSeconds(40)).cost().orElseThrow();
        assertEquals(new FailureSummary.Cost(100, 70, 6), cost);
    }

    @Test
    void killsFromTheFirstSecondsOnAreComparedWithTheTimeBetweenThem() {
        for (long second = 0; second <= 5; second++) {
            ran(2 * second, 50 * second, second); // compilers take half
        }
        double updates = 250;
        for (int kill = 1; kill <= 3; kill++) {
            statistics.ended("daemon-" + kill, at(10_000L * kill - 4_900));
            // For four seconds nothing gets on, then all of two cores compute for six.
            for (long second = 10L * kill - 4; second <= 10L * kill + 5; second++) {
                updates += second > 10L * kill - 1 ? 200 : 0;
                ran(2 * second, (long) updates, second);
            }
        }
        // Each took 20 core-seconds, of which the progress needed 12.
        FailureSummary.Cost cost =
                statistics.summary(1, Duration.ofSeconds(35)).cost().orElseThrow();
        assertEquals(new FailureSummary.Cost(100, 60, 8), cost);
    }

    @Test
    void aJobThatWasNeverUndisturbedHasNothingToBeComparedWith() {
        ran(0, 1, 0);
        ran(3, 100, 2);
        statistics.ended("daemon-1", at(2_500));
        ran(7, 200, 4);
        assertEquals(
                Optional.empty(), statistics.summary(1, Duration.ofSeconds(20)).cost());
    }

    private void ran(long coreSeconds, long updates, long second) {
        Incarnation incarnation = new Incarnation(new GroupTerm(1, new WorkerId(9)), 1);
        var _ = statistics.progress(
                "daemon-1", new BlockProgress(0, incarnation, updates, updates, 0.1, 0, 0), at(1000 * second));
        statistics.coreTime(3, Duration.ofSeconds(coreSeconds));
    }

    private Optional<RecoveryStatistics.Recovery> progress(
            String daemon, int counter, long iteration, double hint, long millis) {
        Incarnation incarnation = new Incarnation(new GroupTerm(1, new WorkerId(9)), counter);
        return statistics.progress(daemon, new BlockProgress(2, incarnation, iteration, 0, hint, 0, 0), at(millis));
    }

    private static long at(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
