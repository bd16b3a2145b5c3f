// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final long MILLI = 1_000_000L;

    private final Backoff backoff = new Backoff(1);

    @Test
    void aWorkerThatDoesNotAnswerIsDialedAtLeastEveryTwoSeconds() {
        for (long expected : new long[] {20, 40, 80, 160, 320, 640, 1280, 2000, 2000}) {
            waits(false, expected);
        }
    }

    @Test
    void aWorkerThatRefusesIsDialedAtLeastEveryThirtySeconds() {
        waits(false, 20);
        for (long expected : new long[] {5000, 10_000, 20_000, 30_000, 30_000}) {
            waits(true, expected);
        }
    }

    @Test
    void aWorkerThatStopsRefusingIsDialedMoreOftenAgain() {
        for (int i = 0; i < 6; i++) {
            backoff.next(true);
        }
        waits(false, 2000);
    }

    @Test
    void aSuccessfulAttemptResetsTheBackoff() {
        for (int i = 0; i < 6; i++) {
            backoff.next(true);
        }
        backoff.reset();
        waits(false, 20);
    }

    /** Half of it is certain, the other half is drawn. */
    private void waits(boolean refused, long millis) {
        long wait = backoff.next(refused);
        assertTrue(
                wait >= millis * MILLI / 2 && wait <= millis * MILLI, wait + " ns, expected up to " + millis + " ms");
    }
}
