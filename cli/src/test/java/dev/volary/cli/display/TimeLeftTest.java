// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.cli.display.JobView.Phase;
import dev.volary.cli.display.JobView.SnapshotPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimeLeftTest {
    @Test
    void aResidualThatFallsByATenthOfItselfEachSecondFallsOn() {
        // 1 at 10 s, 1e-5 at 15 s: 1e-9 at 19 s
        assertEquals(Optional.of(Duration.ofSeconds(3)), left(1e-9, 16, 1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5));
        assertEquals(
                ", about 3 s left",
                TimeLeft.text(view(1e-9, StepProgress.NONE, 1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5), Duration.ofSeconds(16)));
    }

    @Test
    void onlyTheLaterHalfCounts() {
        assertEquals(Optional.of(Duration.ofSeconds(5)), left(1e-9, 18, 8, 4, 5, 4, 1, 1e-1, 1e-2, 1e-3, 1e-4));
    }

    @Test
    void aJumpDoesNotTurnThePrediction() {
        double seconds = left(1e-9, 19, 1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 3e-6, 2e-6, 1e-7)
                .orElseThrow()
                .toMillis();
        assertEquals(2500, seconds, 1000);
    }

    @Test
    void nothingIsSaidOfAResidualThatDoesNotFallOrIsHardlyKnown() {
        assertEquals(Optional.empty(), left(1e-9, 16, 1, 1, 2, 2, 3));
        assertEquals(Optional.empty(), left(1e-9, 13, 1, 1e-1, 1e-2));
        assertEquals(Optional.empty(), left(1e-9, 14, 1, 0, 0, 0));
        assertEquals(Optional.empty(), left(1e-9, 10));
    }

    @Test
    void timeStepsLastAsLongAsThoseBefore() {
        JobView view = view(1e-9, new StepProgress(4, 10), 1, 1e-9, 1e-1, 1e-9);
        assertEquals(Optional.of(Duration.ofSeconds(12)), TimeLeft.of(view, Duration.ofSeconds(18)));
        JobView first = view(1e-9, new StepProgress(1, 10), 1, 1e-9, 1e-1, 1e-9);
        assertEquals(Optional.empty(), TimeLeft.of(first, Duration.ofSeconds(18)));
    }

    private static Optional<Duration> left(double tolerance, int now, double... residuals) {
        return TimeLeft.of(view(tolerance, StepProgress.NONE, residuals), Duration.ofSeconds(now));
    }

    /** One snapshot a second, the first one after ten. */
    private static JobView view(double tolerance, StepProgress steps, double... residuals) {
        List<SnapshotPoint> history = new ArrayList<>();
        for (double residual : residuals) {
            history.add(new SnapshotPoint(Duration.ofSeconds(10 + history.size()), history.size() + 1, residual, 0));
        }
        return new JobView(
                "heat",
                "heat2d",
                "Asynchronous",
                Phase.COMPUTING,
                Duration.ofSeconds(30),
                tolerance,
                List.of(),
                history,
                List.of(),
                List.of(),
                steps);
    }
}
