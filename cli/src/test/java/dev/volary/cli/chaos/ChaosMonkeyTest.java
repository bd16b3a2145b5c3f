// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.cli.chaos.ChaosMonkey.Act;
import dev.volary.cli.chaos.ChaosMonkey.Target;
import dev.volary.cli.chaos.ChaosPlan.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which workers are hit, and when. */
class ChaosMonkeyTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void nothingHappensBeforeTheJobComputesNorInItsFirstPeriod() {
        ChaosMonkey monkey = new ChaosMonkey(kill(1), 7);
        assertEquals(List.of(), monkey.due(100 * SECOND, workers(4, 2)));
        monkey.start(100 * SECOND);
        assertEquals(List.of(), monkey.due(102 * SECOND - 1, workers(4, 2)));
        assertEquals(1, monkey.due(102 * SECOND, workers(4, 2)).size());
        assertEquals(List.of(), monkey.due(103 * SECOND, workers(4, 2)));
        assertEquals(1, monkey.due(104 * SECOND, workers(4, 2)).size());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theSameSeedHitsTheSameWorkers(long seed) {
        assertEquals(injected(kill(2), seed, 20), injected(kill(2), seed, 20));
    }

    @Test
    void everyDaemonIsHitInTime() {
        Set<Act> hit = new HashSet<>(injected(kill(1), 3, 100));
        assertEquals(4, hit.size(), hit.toString());
    }

    @Test
    void spawnersAreHitOnlyIfAskedFor() {
        assertTrue(
                injected(kill(3), 5, 50).stream().noneMatch(act -> act.worker().startsWith("spawner")));
        ChaosPlan all = new ChaosPlan(3, Duration.ofSeconds(2), false, true, Fault.KILL, Duration.ZERO);
        assertTrue(injected(all, 5, 50).stream().anyMatch(act -> act.worker().startsWith("spawner")));
    }

    @Test
    void oneWorkerOfEachRoleKeepsRunning() {
        ChaosPlan greedy = new ChaosPlan(100, Duration.ofSeconds(2), false, true, Fault.KILL, Duration.ZERO);
        List<String> hit = injected(greedy, 9, 1).stream().map(Act::worker).toList();
        assertEquals(3, hit.stream().filter(name -> name.startsWith("daemon")).count(), hit.toString());
        assertEquals(1, hit.stream().filter(name -> name.startsWith("spawner")).count(), hit.toString());
    }

    @Test
    void perZoneHitsAsManyInEachZone() {
        ChaosPlan plan = new ChaosPlan(1, Duration.ofSeconds(2), true, false, Fault.KILL, Duration.ZERO);
        for (long seed = 0; seed < 10; seed++) {
            List<String> hit =
                    injected(plan, seed, 1).stream().map(Act::worker).sorted().toList();
            // Even daemons are in one zone, odd ones in the other.
            assertEquals(2, hit.size(), hit.toString());
            assertEquals(
                    1,
                    hit.stream()
                            .filter(name -> "02".contains(name.substring(7)))
                            .count(),
                    hit.toString());
        }
    }

    @Test
    void aPausedWorkerContinuesAndIsNotHitMeanwhile() {
        ChaosPlan plan = new ChaosPlan(3, Duration.ofSeconds(2), false, false, Fault.PAUSE, Duration.ofSeconds(3));
        ChaosMonkey monkey = new ChaosMonkey(plan, 11);
        monkey.start(0);
        List<String> first =
                monkey.due(2 * SECOND, workers(4, 2)).stream().map(Act::worker).toList();
        assertEquals(3, first.size());
        // The fourth is the last one that runs.
        assertEquals(List.of(), monkey.due(4 * SECOND, workers(4, 2)));
        List<Act> resumed = monkey.due(5 * SECOND, workers(4, 2));
        assertEquals(
                Set.copyOf(first), Set.copyOf(resumed.stream().map(Act::worker).toList()));
        assertTrue(resumed.stream().allMatch(act -> act instanceof Act.Continue), resumed.toString());
    }

    private static ChaosPlan kill(int targets) {
        return new ChaosPlan(targets, Duration.ofSeconds(2), false, false, Fault.KILL, Duration.ZERO);
    }

    /** All acts of some periods on four daemons and two spawners, each of which is replaced at once. */
    private static List<Act> injected(ChaosPlan plan, long seed, int periods) {
        ChaosMonkey monkey = new ChaosMonkey(plan, seed);
        monkey.start(0);
        List<Act> acts = new ArrayList<>();
        for (int p = 1; p <= periods; p++) {
            acts.addAll(monkey.due(p * plan.every().toNanos(), workers(4, 2)));
        }
        return acts;
    }

    private static List<Target> workers(int daemons, int spawners) {
        List<Target> workers = new ArrayList<>();
        IntStream.range(0, daemons).forEach(i -> workers.add(new Target("daemon-" + i, false, "zone-" + i % 2)));
        IntStream.range(0, spawners).forEach(i -> workers.add(new Target("spawner-" + i, true, "zone-" + i % 2)));
        return workers;
    }
}
