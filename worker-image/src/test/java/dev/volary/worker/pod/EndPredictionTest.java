// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.JobEvent;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EndPredictionTest {
    private static final long START = 1_800_000_000_000L;

    private final EndPrediction prediction = new EndPrediction();

    @Test
    void aResidualThatFallsByATenthOfItselfEachSecondFallsOn() {
        for (int second = 0; second < 4; second++) {
            prediction.snapshotClosed(Math.pow(10, -second), START + 1_000L * second);
        }
        assertEquals(Optional.of(START + 9_000), prediction.end(false, 1e-9));
        assertEquals(Optional.empty(), prediction.end(true, 1e-9));
    }

    @Test
    void aLongJobIsPredictedFromSomeOfItsSnapshots() {
        for (int second = 0; second < 10_000; second++) {
            prediction.snapshotClosed(Math.pow(10, -1e-4 * second), START + 1_000L * second);
        }
        long end = prediction.end(false, 1e-2).orElseThrow();
        assertTrue(Math.abs(end - (START + 20_000_000)) < 10, () -> "after " + (end - START) + " ms");
    }

    @Test
    void timeStepsLastAsLongAsThoseThatTheLeaderHasSeen() {
        for (int step = 5; step < 8; step++) {
            prediction.snapshotClosed(1e-9, START + 2_000L * step);
            prediction.stepCommitted(new JobEvent.StepCommitted(step, 20, step, 1e-9), START + 2_000L * step);
        }
        assertEquals(Optional.of(START + 40_000), prediction.end(true, 1e-8));
    }
}
