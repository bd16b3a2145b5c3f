// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Ends every daemon after an exponentially distributed lifetime of its own. Pure: the same seed, times and daemons give the
 * same failures. The last daemon keeps running.
 */
public final class LifetimeModel {
    private record Death(String name, long at) implements Comparable<Death> {
        @Override
        public int compareTo(Death other) {
            int order = Long.compare(at, other.at);
            return order != 0 ? order : name.compareTo(other.name);
        }
    }

    private final double mean;
    private final SplittableRandom random;
    private final Map<String, Long> diesAt = new HashMap<>();
    private final PriorityQueue<Death> deaths = new PriorityQueue<>();

    /**
     * @param mean lifetime of a daemon
     */
    public LifetimeModel(Duration mean, long seed) {
        this.mean = mean.toNanos();
        this.random = new SplittableRandom(seed);
    }

    /**
     * The daemons whose lifetime has ended.
     *
     * @param now in nanoseconds; must not decrease
     * @param up identities of the running daemons, in an order that is the same in every run
     */
    public List<String> over(long now, Collection<String> up) {
        Set<String> left = new HashSet<>(up);
        diesAt.keySet().retainAll(left);
        up.forEach(name -> {
            if (!diesAt.containsKey(name)) {
                live(name, now);
            }
        });
        List<String> over = new ArrayList<>();
        while (!deaths.isEmpty() && deaths.peek().at() <= now) {
            Death next = deaths.remove();
            boolean isUp = Long.valueOf(next.at()).equals(diesAt.get(next.name()));
            if (isUp && left.size() > 1) {
                left.remove(next.name());
                diesAt.remove(next.name());
                over.add(next.name());
            } else if (isUp) {
                live(next.name(), now);
            }
        }
        return over;
    }

    private void live(String name, long now) {
        long at = now + 1 + (long) (-mean * Math.log(1 - random.nextDouble()));
        diesAt.put(name, at);
        deaths.add(new Death(name, at));
    }
}
