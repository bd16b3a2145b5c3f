// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class LocalConvergenceTest {
    private static final double SMALL = 0.5;
    private static final double LARGE = 100;

    private final LocalConvergence period = new LocalConvergence(2, 1);

    private void iterate(int times, Optional<Boolean> expected) {
        for (int i = 0; i < times; i++) {
            assertEquals(expected, period.iterated(SMALL));
        }
    }

    private void converge() {
        iterate(1, Optional.empty());
        period.halo(0, 0);
        period.halo(1, 0);
        iterate(1, Optional.empty());
        iterate(1, Optional.of(true));
    }

    @Test
    void silenceOfOneSourceNeverLooksLikeConvergence() {
        iterate(1, Optional.empty());
        period.halo(0, 0);
        iterate(1000, Optional.empty());
    }

    @Test
    void newerHalosOfAllSourcesAndOneMoreIterationAreReportedOnceAsConvergence() {
        converge();
        iterate(10, Optional.empty());
    }

    @Test
    void aLargeHintBeginsThePeriodAgain() {
        iterate(1, Optional.empty());
        period.halo(0, 0);
        period.halo(1, 0);
        assertEquals(Optional.empty(), period.iterated(LARGE));
        iterate(1000, Optional.empty());
    }

    @Test
    void aVerificationCountsOnlyHalosThatWereSentInIt() {
        converge();
        period.enter(1);
        iterate(1, Optional.empty());
        period.halo(0, 0);
        period.halo(1, 1);
        iterate(1000, Optional.empty());
        period.halo(0, 1);
        iterate(1, Optional.empty());
        iterate(1, Optional.of(true));
    }

    @Test
    void aBlockThatDivergedSinceItSaidThatItConvergedFailsTheVerification() {
        converge();
        assertEquals(Optional.empty(), period.iterated(LARGE));
        iterate(10, Optional.empty());
        period.enter(1);
        assertEquals(Optional.of(false), period.iterated(SMALL));
    }
}
