// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which workers die, and when. */
class LifetimeModelTest {
    private static final Duration MEAN = Duration.ofSeconds(10);
    private static final long STEP = Duration.ofMillis(10).toNanos();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void lifeTimesHaveTheirMeanAndAreAsShortAsTheyAreLong(long seed) {
        List<Long> times = deaths(seed, 50, 2_000);
        double mean = times.stream().mapToDouble(t -> t / 1e9).average().orElseThrow();
        // the mean of 2 000 exponential times has a standard deviation of 10 s / √2000 = 0.22 s
        assertEquals(10, mean, 1);
        double shorter = (double) times.stream().filter(t -> t < MEAN.toNanos()).count() / times.size();
        assertEquals(1 - Math.exp(-1), shorter, 0.05);
    }

    @Test
    void theSameSeedGivesTheSameDeaths() {
        assertEquals(deaths(4, 20, 100), deaths(4, 20, 100));
    }

    @Test
    void theLastDaemonIsNeverKilled() {
        LifetimeModel lives = new LifetimeModel(Duration.ofMillis(1), 1);
        List<String> up = new ArrayList<>(List.of("a", "b", "c"));
        for (long now = 0; now < 1000 * STEP; now += STEP) {
            up.removeAll(lives.over(now, up));
        }
        assertEquals(1, up.size());
    }

    /** How long each daemon lived, in nanoseconds; every one that dies is followed by another. */
    private static List<Long> deaths(long seed, int daemons, int wanted) {
        LifetimeModel lives = new LifetimeModel(MEAN, seed);
        List<String> up = new ArrayList<>();
        List<Long> born = new ArrayList<>();
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < daemons; i++) {
            up.add("daemon-" + i);
            born.add(0L);
        }
        for (long now = 0; times.size() < wanted; now += STEP) {
            for (String name : lives.over(now, up)) {
                int number = Integer.parseInt(name.substring("daemon-".length()));
                times.add(now - born.get(number));
                up.set(up.indexOf(name), "daemon-" + born.size());
                born.add(now + STEP);
            }
        }
        return times;
    }
}
