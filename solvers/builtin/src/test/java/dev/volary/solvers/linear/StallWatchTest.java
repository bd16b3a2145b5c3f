// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.volary.solver.StalledIterationException;
import org.junit.jupiter.api.Test;

class StallWatchTest {
    private final StallWatch watch = new StallWatch("Schwarz");

    @Test
    void stepsThatStayAsLargeAsTheyWereAreAStall() {
        watch.step(1);
        for (int i = 1; i < StallWatch.MOST_ROUNDS; i++) {
            watch.step(0.6);
        }
        assertThrows(StalledIterationException.class, () -> watch.step(0.6));
    }

    @Test
    void slowConvergenceIsNoStall() {
        double norm = 1;
        for (int i = 0; i < 20 * StallWatch.MOST_ROUNDS; i++) {
            watch.step(norm);
            norm *= 0.997;
        }
    }

    @Test
    void roundingErrorsAreNoStall() {
        watch.step(1e6);
        for (int i = 0; i < 3 * StallWatch.MOST_ROUNDS; i++) {
            watch.step(1e-4);
        }
    }

    @Test
    void aLostBlockIsNoDivergence() {
        watch.residual(1e-10);
        watch.residual(10);
        watch.residual(1e9);
        assertThrows(StalledIterationException.class, () -> watch.residual(1e11));
    }
}
