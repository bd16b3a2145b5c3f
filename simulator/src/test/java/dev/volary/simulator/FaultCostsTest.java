// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.simulator.check.FailureTotals;
import dev.volary.simulator.scenario.FaultPlan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FaultCostsTest {
    private static final Duration TIMEOUT = FaultPlan.TIMEOUT;

    private static FailureTotals totals(
            List<Duration> detections, List<Duration> standstills, int restored, long lost) {
        return new FailureTotals(0, 0, 0, 0, 0, 0, 0, detections, standstills, 0, 0, restored, 0, 0, 0, 0, lost);
    }

    @Test
    void aRowHasTheMediansAndTheLargestOfAllRunsInTimeouts() {
        FailureTotals first = totals(List.of(TIMEOUT), List.of(TIMEOUT.multipliedBy(2)), 1, 4);
        FailureTotals second = totals(
                List.of(TIMEOUT.multipliedBy(2), TIMEOUT.multipliedBy(3)),
                List.of(TIMEOUT.multipliedBy(3), TIMEOUT.multipliedBy(9)),
                2,
                5);
        assertEquals(
                Optional.of("| `crash` | 3 | 2.0 | 3.0 | 3 | 3.0 | 9.0 | 3.0 |"),
                FaultCosts.row("crash", List.of(first, second)));
    }

    @Test
    void aScenarioInWhichNoBlockStoodStillHasNoRow() {
        assertEquals(Optional.empty(), FaultCosts.row("calm", List.of(totals(List.of(), List.of(), 0, 0))));
    }
}
