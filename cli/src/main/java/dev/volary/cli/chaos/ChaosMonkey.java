// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.chaos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Decides which workers fail and when. Pure: the same seed, times and workers give the same faults. At least one daemon and one
 * spawner always keep running.
 */
public final class ChaosMonkey {
    private final ChaosPlan plan;
    private final SplittableRandom random;
    private final Map<String, Long> paused = new TreeMap<>();
    private long nextAt = Long.MAX_VALUE;

    /**
     * A worker that may be chosen.
     *
     * @param name its identity
     * @param isSpawner whether it is a spawner; a daemon otherwise
     * @param zone its failure domain
     */
    public record Target(String name, boolean isSpawner, String zone) {}

    /** What to do with a worker. */
    public sealed interface Act {
        /** Identity of the worker. */
        String worker();

        /** Inject the fault. */
        record Inject(String worker, ChaosPlan.Fault fault) implements Act {}

        /** Continue it after its pause. */
        record Continue(String worker) implements Act {}
    }

    /** A monkey that does nothing before {@link #start}. */
    public ChaosMonkey(ChaosPlan plan, long seed) {
        this.plan = plan;
        this.random = new SplittableRandom(seed);
    }

    /**
     * Starts the clock when the job computes: the first fault comes one period later. Only the first call has an effect.
     *
     * @param now in nanoseconds
     */
    public void start(long now) {
        if (nextAt == Long.MAX_VALUE) {
            nextAt = now + plan.every().toNanos();
        }
    }

    /**
     * The actions that are due.
     *
     * @param now in nanoseconds; must not decrease
     * @param up running workers, including paused ones
     */
    public List<Act> due(long now, Collection<Target> up) {
        List<Act> acts = new ArrayList<>();
        paused.entrySet().removeIf(entry -> {
            boolean isDue = now >= entry.getValue();
            if (isDue) {
                acts.add(new Act.Continue(entry.getKey()));
            }
            return isDue;
        });
        if (now >= nextAt) {
            nextAt = Math.max(nextAt + plan.every().toNanos(), now + 1);
            for (Target target : choose(up)) {
                acts.add(new Act.Inject(target.name(), plan.fault()));
                if (plan.fault() == ChaosPlan.Fault.PAUSE) {
                    paused.put(target.name(), now + plan.pause().toNanos());
                }
            }
        }
        return acts;
    }

    private List<Target> choose(Collection<Target> up) {
        List<Target> running = up.stream()
                .filter(target -> !paused.containsKey(target.name()))
                .sorted(Comparator.comparing(Target::name))
                .toList();
        List<Target> shuffled = shuffled(
                running.stream().filter(t -> plan.spawners() || !t.isSpawner()).toList());
        Map<String, List<Target>> pools = shuffled.stream()
                .collect(Collectors.groupingBy(t -> plan.perZone() ? t.zone() : "", TreeMap::new, Collectors.toList()));
        List<Target> chosen = new ArrayList<>();
        pools.values().forEach(pool -> chosen.addAll(pool.subList(0, Math.min(plan.targets(), pool.size()))));
        return keepOneRunning(chosen, running);
    }

    /** Removes one target where otherwise no worker of its role would keep running. */
    private static List<Target> keepOneRunning(List<Target> chosen, List<Target> running) {
        List<Target> targets = new ArrayList<>(chosen);
        for (boolean isSpawner : new boolean[] {false, true}) {
            List<Target> those =
                    chosen.stream().filter(t -> t.isSpawner() == isSpawner).toList();
            long all = running.stream().filter(t -> t.isSpawner() == isSpawner).count();
            if (!those.isEmpty() && those.size() == all) {
                targets.remove(those.getLast());
            }
        }
        return targets;
    }

    private List<Target> shuffled(List<Target> targets) {
        List<Target> shuffled = new ArrayList<>(targets);
        for (int i = shuffled.size() - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            Target swapped = shuffled.get(i);
            shuffled.set(i, shuffled.get(j));
            shuffled.set(j, swapped);
        }
        return shuffled;
    }
}
