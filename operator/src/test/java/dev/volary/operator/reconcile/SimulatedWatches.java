// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.operator.simulated.SimulatedApiServer;
import dev.volary.operator.simulated.SimulatedApiServer.Change;
import dev.volary.operator.simulated.VirtualTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The watches of all operators. A watch delivers changes some time after they happen, in order. One that is cut delivers nothing,
 * not even what is under way. The operator attempts to reopen it, and gets a fresh list then: what was created and removed meanwhile,
 * and in which order objects changed, it never learns.
 */
final class SimulatedWatches {
    /** The kinds of objects that an operator watches. */
    static final List<String> RESOURCES = List.of("nodes", "pods", "iterativejobs");

    private static final Duration FIRST_ATTEMPT = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);

    private final VirtualTime time;
    private final SimulatedApiServer server;
    private final Random random;
    private final Duration slowUntil;
    private final Map<SimulatedOperator, Map<String, Watch>> watches = new LinkedHashMap<>();

    /** The watch of one operator for one kind of objects. */
    private static final class Watch {
        private Duration lastDelivery = Duration.ZERO;
        private boolean isCut;
        private int cuts;
    }

    /** @param slowUntil until then, some deliveries take as long as 30 s */
    SimulatedWatches(VirtualTime time, SimulatedApiServer server, Random random, Duration slowUntil) {
        this.time = time;
        this.server = server;
        this.random = random;
        this.slowUntil = slowUntil;
    }

    /** Delivers a change to the operators that are alive. */
    void changed(Change change, List<SimulatedOperator> alive) {
        for (SimulatedOperator operator : alive) {
            boolean isSlow = time.elapsed().compareTo(slowUntil) < 0 && random.nextInt(8) == 0;
            Duration lag = Duration.ofMillis(isSlow ? random.nextInt(30_000) : 1 + random.nextInt(30));
            Watch watch = watch(operator, change.resource());
            if (watch.isCut) {
                continue;
            }
            Duration at = time.elapsed().plus(lag);
            Duration due = at.compareTo(watch.lastDelivery) < 0 ? watch.lastDelivery : at;
            watch.lastDelivery = due;
            int cuts = watch.cuts;
            time.after(due.minus(time.elapsed()), () -> {
                if (watch.cuts == cuts) { // otherwise it was under way when the watch was cut
                    operator.deliver(change);
                }
            });
        }
    }

    private Watch watch(SimulatedOperator operator, String resource) {
        return watches.computeIfAbsent(operator, each -> new LinkedHashMap<>())
                .computeIfAbsent(resource, each -> new Watch());
    }

    /**
     * Cuts the watch of an operator for a kind of objects.
     *
     * @param outage for how long the API server answers no attempt to reopen it; the pause between attempts doubles
     */
    void cut(SimulatedOperator operator, String resource, Duration outage) {
        Watch watch = watch(operator, resource);
        if (watch.isCut) {
            return;
        }
        watch.isCut = true;
        watch.cuts++;
        Duration pause = FIRST_ATTEMPT;
        Duration reopened = pause;
        while (reopened.compareTo(outage) < 0) {
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
            reopened = reopened.plus(pause);
        }
        time.after(reopened.plusMillis(random.nextInt(1000)), () -> reopen(operator, resource, watch));
    }

    private void reopen(SimulatedOperator operator, String resource, Watch watch) {
        watch.isCut = false;
        watch.lastDelivery = time.elapsed();
        operator.replace(resource, server.list(resource));
    }
}
