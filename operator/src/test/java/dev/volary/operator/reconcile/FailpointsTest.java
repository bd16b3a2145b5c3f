// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.job.testkit.LocalApiServer;
import dev.volary.job.testkit.NeedsApiServer;
import dev.volary.operator.reconcile.FailingProxy.Failpoint;
import dev.volary.operator.reconcile.FailingProxy.Fault;
import dev.volary.operator.reconcile.FailingProxy.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Each request of the operator fails, in each way, once and for a while, against a real API server: a job always ends as it does
 * without a failure. The build takes some combinations, chosen by a seed; all are a command:
 * {@code ./mvnw -pl operator -am test -Dtest=FailpointsTest -Dvolary.failpoints=all}. {@code -Dvolary.failpoints.only=REGEX} takes
 * those whose name matches.
 */
@NeedsApiServer
class FailpointsTest {
    private static final String CHOICE = System.getProperty("volary.failpoints", "some");
    private static final Pattern ONLY = Pattern.compile(System.getProperty("volary.failpoints.only", ""));
    private static final long SEED = Long.getLong("volary.failpoints.seed", 1);
    private static final int LIVES_AT_ONCE = Integer.getInteger("volary.failpoints.lives", 16);
    private static final int TIMES_PER_FAULT = 3;
    private static final Operation EVENTS = new Operation("create", "events");
    private static final Operation STATUS = new Operation("patch", "iterativejobs/status");

    /**
     * One kind of request that fails.
     *
     * @param isRepeated whether it fails for a while, not once
     * @param skipped number of requests that pass before
     * @param isMidway whether a watch is opened again once the job computes, and fails then
     */
    record Case(Operation operation, Fault fault, boolean isRepeated, int skipped, boolean isMidway) {
        @Override
        public String toString() {
            return operation + " " + fault + (isRepeated ? " repeatedly" : " once")
                    + (isMidway ? " midway" : ", after " + skipped);
        }

        boolean isOfCache() {
            return operation.verb().equals("list") || operation.verb().equals("watch");
        }
    }

    @Test
    void everyRequestMayFailInEveryWayAndTheJobEndsAsWithoutAFailure() throws Exception {
        try (LocalApiServer api = LocalApiServer.start();
                FailingProxy proxy = new FailingProxy(api.config());
                ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
                ExecutorService lives = Executors.newFixedThreadPool(LIVES_AT_ONCE)) {
            JobLife.Outcome expected;
            Map<Operation, Integer> requests;
            try (JobLife life = new JobLife(api, proxy)) {
                expected = life.play(Map.of(), () -> {});
                requests = proxy.counts(life.namespace());
            }
            System.out.println("failpoints: a life makes " + requests);
            System.out.println("failpoints: a life ends with " + expected);
            List<Case> cases = cases(requests);
            System.out.println("failpoints: " + cases.size() + " lives, seed " + SEED);
            List<String> faults = new ArrayList<>();
            Map<Case, Future<List<String>>> running = new java.util.LinkedHashMap<>();
            for (Case each : cases) {
                Callable<List<String>> life = () -> live(each, expected, api, proxy, clock);
                running.put(each, lives.submit(life));
            }
            for (var each : running.entrySet()) {
                for (String fault : each.getValue().get()) {
                    faults.add(each.getKey() + ": " + fault);
                    System.out.println("failpoints: " + each.getKey() + ": " + fault);
                }
            }
            assertEquals(List.of(), faults);
        }
    }

    private static List<String> live(
            Case each,
            JobLife.Outcome expected,
            LocalApiServer api,
            FailingProxy proxy,
            ScheduledExecutorService clock) {
        List<String> faults = new ArrayList<>();
        long begun = System.nanoTime();
        try (JobLife life = new JobLife(api, proxy)) {
            Failpoint failpoint = proxy.add(new Failpoint(
                    life.namespace(),
                    each.operation,
                    each.fault,
                    each.skipped,
                    each.isRepeated ? Integer.MAX_VALUE : 1));
            Watchdog dog = new Watchdog(each, life, failpoint);
            var ticks = clock.scheduleWithFixedDelay(dog::look, 50, 50, TimeUnit.MILLISECONDS);
            try {
                JobLife.Outcome outcome = life.play(expected.stages(), () -> {
                    if (each.isMidway) {
                        openAgain(each.operation, failpoint, life, proxy);
                    }
                });
                if (!outcome.status().equals(expected.status())) {
                    faults.add("status " + outcome.status() + " in place of " + expected.status());
                }
                Map<String, Integer> difference = difference(expected.events(), outcome.events());
                difference.keySet().removeIf(FailpointsTest::tellsOfAFailure);
                if (each.operation.equals(EVENTS)) {
                    difference.values().removeIf(count -> count < 0); // lost, and counted
                }
                if (!difference.isEmpty()) {
                    faults.add("events " + difference);
                }
            } finally {
                ticks.cancel(false);
            }
            if (failpoint.hits() == 0) {
                faults.add("no request failed");
            } else if (each.isRepeated && !dog.shown) {
                faults.add("nothing showed the failure");
            }
        } catch (RuntimeException | AssertionError e) {
            faults.add(e.toString());
        }
        System.out.printf("failpoints: %s took %.1f s%n", each, (System.nanoTime() - begun) / 1e9);
        return faults;
    }

    /** Ends the watch of a resource, so that the operator watches it again, or lists it before. */
    private static void openAgain(Operation operation, Failpoint failpoint, JobLife life, FailingProxy proxy) {
        proxy.add(failpoint);
        if (operation.verb().equals("list")) {
            Operation watch = new Operation("watch", operation.resource());
            proxy.add(new Failpoint(life.namespace(), watch, Fault.GONE, 0, 1)); // a version that is too old
        }
        proxy.reset(life.namespace(), operation.resource());
    }

    private static boolean tellsOfAFailure(String event) {
        return event.startsWith("ReconcileFailed") || event.startsWith("PodRefused");
    }

    private static Map<String, Integer> difference(Map<String, Integer> wanted, Map<String, Integer> found) {
        Map<String, Integer> difference = new java.util.TreeMap<>(found);
        wanted.forEach((event, count) -> difference.merge(event, -count, Integer::sum));
        difference.values().removeIf(count -> count == 0);
        return difference;
    }

    private static List<Case> cases(Map<Operation, Integer> requests) {
        Random random = new Random(SEED);
        List<Case> all = new ArrayList<>();
        requests.forEach((operation, count) -> {
            for (Fault fault : Fault.values()) {
                boolean isWatch = operation.verb().equals("watch");
                if (fault == Fault.CUT != isWatch && fault == Fault.CUT || fault == Fault.LOST_ANSWER && isWatch) {
                    continue;
                }
                for (boolean isRepeated : new boolean[] {false, true}) {
                    Case first = new Case(operation, fault, isRepeated, random.nextInt(count), false);
                    all.add(first);
                    if (first.isOfCache()) {
                        all.add(new Case(operation, fault, isRepeated, 0, true));
                    }
                }
            }
        });
        Collections.shuffle(all, random);
        List<Case> matching =
                all.stream().filter(c -> ONLY.matcher(c.toString()).find()).toList();
        if (CHOICE.equals("all")) {
            return matching;
        }
        Map<Fault, Integer> times = new EnumMap<>(Fault.class);
        Map<Operation, Integer> taken = new java.util.HashMap<>();
        List<Case> some = new ArrayList<>();
        for (Case each : matching) {
            if (taken.getOrDefault(each.operation, 0) == 0 || times.getOrDefault(each.fault, 0) < TIMES_PER_FAULT) {
                taken.merge(each.operation, 1, Integer::sum);
                times.merge(each.fault, 1, Integer::sum);
                some.add(each);
            }
        }
        return some;
    }

    /** Ends a failure that has lasted for a while, and notes whether the operator has shown it. */
    private static final class Watchdog {
        private final Case each;
        private final JobLife life;
        private final Failpoint failpoint;
        private long since;
        private volatile boolean shown;

        Watchdog(Case each, JobLife life, Failpoint failpoint) {
            this.each = each;
            this.life = life;
            this.failpoint = failpoint;
        }

        void look() {
            if (failpoint.hits() == 0) {
                return;
            }
            if (since == 0) {
                since = System.nanoTime();
            }
            long millis = (System.nanoTime() - since) / 1_000_000;
            shown |= isShown();
            if (each.isRepeated && (shown && millis > 1500 || millis > 8000)) {
                failpoint.end();
            }
        }

        private boolean isShown() {
            if (each.operation.equals(STATUS)) {
                return life.cluster.metrics.failures() > 0;
            }
            if (each.operation.equals(EVENTS)) {
                return life.cluster.metrics.lostEvents() > 0;
            }
            if (each.isOfCache()) {
                return life.isUnhealthy();
            }
            return each.fault.code() > 0
                    ? life.hasShown("a failpoint answers " + each.fault.code())
                    : life.hasShown("Reconciled False");
        }
    }
}
