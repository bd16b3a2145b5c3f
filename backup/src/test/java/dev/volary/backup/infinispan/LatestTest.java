// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A member once received an older view last, missed another member from then on, and gave it no copies. */
class LatestTest {
    private final List<String> received = new ArrayList<>();

    @Test
    void anOutdatedStateIsNotPassedOn() {
        Latest<String> latest = new Latest<>(received::add);
        latest.offer(2, "second");
        latest.offer(1, "first");
        latest.offer(-1, "read before");
        latest.offer(2, "second again");
        latest.offer(3, "third");
        assertEquals(List.of("second", "third"), received);
    }

    @Test
    void aNewerStateWaitsUntilTheOlderOneWasPassedOn() throws Exception {
        List<Thread> newer = new ArrayList<>();
        Latest<String> latest = new Latest<>(state -> {
            if (state.equals("first")) {
                newer.getFirst().start();
                pause(newer.getFirst());
            }
            received.add(state);
        });
        newer.add(Thread.ofPlatform().unstarted(() -> latest.offer(2, "second")));
        latest.offer(1, "first");
        newer.getFirst().join();
        assertEquals(List.of("first", "second"), received);
    }

    /** It ends within that if nothing holds it back. */
    private static void pause(Thread other) {
        try {
            boolean _ = other.join(Duration.ofMillis(200));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
