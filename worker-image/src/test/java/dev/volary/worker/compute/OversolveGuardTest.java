// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OversolveGuardTest {

    @Test
    void aBlockIsSettledOnceItsHintIsFarBelowItsPeak() {
        OversolveGuard settling = new OversolveGuard(1e-9);
        settling.refreshed();
        double hint = 1;
        int iterations = 0;
        while (!settling.settled(hint)) {
            settling.iterated(hint);
            hint *= 0.9;
            iterations++;
        }
        // 0.9^k ≤ 0.02 first holds at k = 38.
        assertTrue(iterations >= 38 && iterations <= 39, "settled after " + iterations);
    }

    @Test
    void aSmallHintFromBeforeTheFreshHalosDoesNotSettleTheBlock() {
        OversolveGuard settling = new OversolveGuard(1e-9);
        settling.refreshed();
        for (int i = 0; i < 8; i++) {
            settling.iterated(1e-12);
            assertFalse(settling.settled(1e-12));
        }
        settling.iterated(1);
        for (int i = 9; i < 40; i++) {
            settling.iterated(0.5);
            assertFalse(settling.settled(0.5));
        }
    }

    @Test
    void aConstantHintFarBelowTheToleranceSettlesTheBlock() {
        OversolveGuard settling = new OversolveGuard(1);
        settling.refreshed();
        for (int i = 0; i < 17; i++) {
            settling.iterated(0.01);
        }
        assertTrue(settling.settled(0.01));
    }
}
