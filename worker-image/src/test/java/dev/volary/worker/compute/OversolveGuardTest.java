// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OversolveGuardTest {

    @Test
    void aBlockIsSettledOnceItsHintIsFarBelowItsPeak() {
        OversolveGuard guard = new OversolveGuard(1e-9);
        guard.refreshed();
        double hint = 1;
        int iterations = 0;
        while (!guard.isSettled(hint)) {
            guard.iterated(hint);
            hint *= 0.9;
            iterations++;
        }
        // 0.9^k ≤ 0.02 first holds at k = 38.
        assertTrue(iterations >= 38 && iterations <= 39, "settled after " + iterations);
    }

    @Test
    void aSmallHintFromBeforeTheFreshHalosDoesNotSettleTheBlock() {
        OversolveGuard guard = new OversolveGuard(1e-9);
        guard.refreshed();
        for (int i = 0; i < 8; i++) {
            guard.iterated(1e-12);
            assertFalse(guard.isSettled(1e-12));
        }
        guard.iterated(1);
        for (int i = 9; i < 40; i++) {
            guard.iterated(0.5);
            assertFalse(guard.isSettled(0.5));
        }
    }

    @Test
    void aConstantHintFarBelowTheToleranceSettlesTheBlock() {
        OversolveGuard guard = new OversolveGuard(1);
        guard.refreshed();
        for (int i = 0; i < 17; i++) {
            guard.iterated(0.01);
        }
        assertTrue(guard.isSettled(0.01));
    }
}
