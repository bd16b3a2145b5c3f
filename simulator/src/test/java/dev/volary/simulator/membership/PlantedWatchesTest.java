// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.membership.FailureDetector;
import dev.volary.protocol.membership.PlantedWatches;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A judge that never finds anything proves nothing: each planted bug must be found. */
class PlantedWatchesTest {
    private static final int SEEDS = 40;

    private interface Maker {
        FailureDetector make(WorkerId self, FailureDetectorConfig config, long seed);
    }

    private static void isFound(String scenario, Maker maker, String by) {
        WatchWiring wiring = new WatchWiring() {
            @Override
            FailureDetector watch(WorkerId self, FailureDetectorConfig config, long seed) {
                return maker.make(self, config, seed);
            }
        };
        List<String> violations = LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> MembershipScenarioRun.run(MembershipScenario.named(scenario), seed, wiring))
                .flatMap(report -> report.violations().stream())
                .toList();
        assertTrue(
                violations.stream().anyMatch(text -> text.contains(by)),
                () -> "no run says \"" + by + "\" among " + violations);
    }

    @Test
    void aVerdictWithoutConfirmationHitsTheLiving() {
        isFound("pauses", PlantedWatches::withoutConfirmation, "which lives");
    }

    @Test
    void aPauseThatIsNotSubtractedLooksLikeTheSilenceOfOthers() {
        isFound("paused-watcher", PlantedWatches::thatIgnoresItsPauses, "though they sent");
    }

    @Test
    void aSuspicionThatIsSentOnceIsLost() {
        isFound("crash-under-loss", PlantedWatches::thatDoesNotRepeat, "was never declared");
    }

    @Test
    void heartbeatsSparedBySendingAreMissed() {
        isFound("other-traffic-held-up", PlantedWatches::thatIsSparedBySending, "though they sent");
    }
}
