// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.papers;

import dev.volary.simulator.scenario.FailureModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Kills daemons at regular times, as the script of the JACEP2P-V2 paper: some of all, or one in each zone. */
final class Perturbator implements FailureModel {
    private final long every;
    private final int victims;
    private final boolean isPerZone;
    private final SplittableRandom random;
    private long next = -1;

    /**
     * @param every between two kills
     * @param victims of each, or of each in a zone
     */
    Perturbator(Duration every, int victims, boolean isPerZone, long seed) {
        this.every = every.toNanos();
        this.victims = victims;
        this.isPerZone = isPerZone;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public List<Failure> due(long now, Collection<Candidate> alive) {
        if (next < 0) {
            next = now + every;
        }
        if (now < next) {
            return List.of();
        }
        next += every;
        List<Candidate> daemons =
                alive.stream().filter(worker -> !worker.isSpawner()).toList();
        Collection<List<Candidate>> groups = isPerZone
                ? daemons.stream()
                        .collect(Collectors.groupingBy(Candidate::zone))
                        .values()
                : List.of(daemons);
        List<Failure> failures = new ArrayList<>();
        for (List<Candidate> group : groups) {
            List<Candidate> left = new ArrayList<>(group);
            for (int i = 0; i < victims && !left.isEmpty(); i++) {
                failures.add(new Failure.Crash(
                        left.remove(random.nextInt(left.size())).name(), false));
            }
        }
        return failures;
    }
}
