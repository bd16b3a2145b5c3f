// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.job.testkit.NeedsApiServer;
import dev.volary.operator.reconcile.FailingProxy.Failpoint;
import dev.volary.operator.reconcile.FailingProxy.Fault;
import dev.volary.operator.reconcile.FailingProxy.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Each request of the operator fails, in each way, once and for a while, against a real API server: a job always ends as it does
 * without a failure. The build takes some combinations, chosen by a seed, several in each life; all are a command:
 * {@code ./mvnw -pl operator -am test -Dtest=FailpointsTest -Dvolary.failpoints=all}. {@code -Dvolary.failpoints.only=REGEX} takes
 * those whose name matches, and {@code -Dvolary.failpoints.together=1} one in each life.
 */
@NeedsApiServer
class FailpointsTest {
    private static final String CHOICE = System.getProperty("volary.failpoints", "some");
    private static final Pattern ONLY = Pattern.compile(System.getProperty("volary.failpoints.only", ""));
    private static final long SEED = Long.getLong("volary.failpoints.seed", 1);
    private static final int LIVES_AT_ONCE = Integer.getInteger("volary.failpoints.lives", 20);
    private static final int TIMES_PER_FAULT = 3;
    private static final int CASES_PER_LIFE = Integer.getInteger("volary.failpoints.together", 3);
    private static final int A_WHILE_MILLIS = 1500;
    /** A watch that is not answered is requested once more, in another way: that one is not answered either. */
    private static final int A_WHILE_WITHOUT_ANSWERS_MILLIS = 2 * JobLife.REQUEST_TIMEOUT_MILLIS + 500;
    /** The longest that a failure lasts if nothing shows it. */
    private static final int PATIENCE_MILLIS = 8000;

    private static final Operation EVENTS = new Operation("create", "events");
    private static final Operation DELETION = new Operation("delete", "iterativejobs");
    private static final Operation CLAIM = new Operation("get", "persistentvolumeclaims");
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

        /**
         * Whether the operator must take the failure for an answer: the object is not there, or another one; an older chart does not
         * let it read claims; or the job is deleted, so that there is nothing left that could show it.
         */
        boolean isAnswer() {
            return switch (operation.verb()) {
                case "get" -> fault == Fault.NOT_FOUND || (operation.equals(CLAIM) && fault == Fault.FORBIDDEN);
                case "delete" ->
                    fault == Fault.NOT_FOUND
                            || fault == Fault.CONFLICT
                            || (operation.equals(DELETION) && fault == Fault.LOST_ANSWER);
                default -> false;
            };
        }

        /** Whether one of two failures in the same life could hide the other one. */
        boolean disturbs(Case other) {
            return operation.equals(other.operation) || fault == other.fault || (isOfCache() && other.isOfCache());
        }

        boolean isOfCache() {
            return operation.verb().equals("list") || operation.verb().equals("watch");
        }
    }

    @RegisterExtension
    static final ApiServerExtension SERVER = new ApiServerExtension();

    @Test
    void eachRequestMayFailInEachWayAndTheJobEndsAsWithoutAFailure() throws Exception {
        try (FailingProxy proxy = new FailingProxy(SERVER.api().config());
                ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
                ExecutorService lives = Executors.newFixedThreadPool(LIVES_AT_ONCE)) {
            JobLife.Outcome expected;
            Map<Operation, Integer> requests;
            try (JobLife life = new JobLife(SERVER.api(), proxy)) {
                expected = life.play(() -> {});
                requests = proxy.counts(life.namespace());
            }
            List<Case> cases = cases(requests);
            List<List<Case>> groups = groups(cases, CASES_PER_LIFE);
            System.out.println("failpoints: " + cases.size() + " kinds of failures, of " + requests.size()
                    + " operations, in " + groups.size() + " lives, seed " + SEED);
            Map<List<Case>, Future<List<String>>> running = new LinkedHashMap<>();
            for (List<Case> each : groups) {
                running.put(each, lives.submit(() -> live(each, expected, proxy, clock)));
            }
            List<String> violations = new ArrayList<>();
            for (var each : running.entrySet()) {
                for (String violation : each.getValue().get()) {
                    violations.add(each.getKey() + ": " + violation);
                }
            }
            assertEquals("", String.join("\n", violations));
        }
    }

    private static List<String> live(
            List<Case> cases, JobLife.Outcome expected, FailingProxy proxy, ScheduledExecutorService clock) {
        List<String> violations = new ArrayList<>();
        try (JobLife life = new JobLife(SERVER.api(), proxy)) {
            List<Watchdog> dogs =
                    cases.stream().map(each -> new Watchdog(each, life)).toList();
            dogs.stream().filter(dog -> !dog.each.isMidway).forEach(dog -> proxy.add(dog.failpoint));
            var ticks = clock.scheduleWithFixedDelay(() -> dogs.forEach(Watchdog::look), 50, 50, TimeUnit.MILLISECONDS);
            try {
                JobLife.Outcome outcome = life.play(() -> dogs.stream()
                        .filter(dog -> dog.each.isMidway)
                        .forEach(dog -> openAgain(dog.each.operation, dog.failpoint, life, proxy)));
                compare(expected, outcome, life.cluster.metrics.lostEvents() > 0, violations);
            } finally {
                ticks.cancel(false);
            }
            dogs.forEach(dog -> dog.judge(violations));
        } catch (RuntimeException | AssertionError e) {
            violations.add(e.toString());
        }
        if (CHOICE.equals("all")) {
            System.out.println("failpoints: " + cases + ": " + (violations.isEmpty() ? "settled" : violations));
        }
        return violations;
    }

    private static void compare(
            JobLife.Outcome expected, JobLife.Outcome outcome, boolean hasLostEvents, List<String> violations) {
        if (!outcome.status().equals(expected.status())) {
            violations.add("status " + outcome.status() + " in place of " + expected.status());
        }
        Map<String, Integer> difference = difference(expected.events(), outcome.events());
        difference.keySet().removeIf(FailpointsTest::tellsOfAFailure);
        if (hasLostEvents) {
            difference.values().removeIf(count -> count < 0); // lost, and counted
        }
        if (!difference.isEmpty()) {
            violations.add("events " + difference);
        }
    }

    /** Cases that fail in the same life: of different operations, with different faults, and at most one that stops updates. */
    private static List<List<Case>> groups(List<Case> cases, int size) {
        List<List<Case>> groups = new ArrayList<>();
        for (Case each : cases) {
            groups.stream()
                    .filter(group -> group.size() < size && group.stream().noneMatch(each::disturbs))
                    .findFirst()
                    .orElseGet(() -> {
                        List<Case> group = new ArrayList<>();
                        groups.add(group);
                        return group;
                    })
                    .add(each);
        }
        return groups;
    }

    /** Ends the watch of a resource, so that the operator watches it again, or lists it before. */
    private static void openAgain(Operation operation, Failpoint failpoint, JobLife life, FailingProxy proxy) {
        proxy.add(failpoint);
        if (operation.verb().equals("list")) {
            Operation watch = new Operation("watch", operation.resource());
            proxy.add(new Failpoint(life.namespace(), watch, Fault.EXPIRED, 0, 1));
        }
        proxy.reset(life.namespace(), operation.resource());
    }

    private static boolean tellsOfAFailure(String event) {
        return event.startsWith("ReconcileFailed") || event.startsWith("PodRefused");
    }

    private static Map<String, Integer> difference(Map<String, Integer> wanted, Map<String, Integer> found) {
        Map<String, Integer> difference = new TreeMap<>(found);
        wanted.forEach((event, count) -> difference.merge(event, -count, Integer::sum));
        difference.values().removeIf(count -> count == 0);
        return difference;
    }

    private static List<Case> cases(Map<Operation, Integer> requests) {
        Random random = new Random(SEED);
        List<Case> all = new ArrayList<>();
        requests.forEach((operation, count) -> {
            for (Fault fault : Fault.values()) {
                if (!fault.concerns(operation)) {
                    continue;
                }
                for (boolean isRepeated : new boolean[] {false, true}) {
                    Case first =
                            new Case(operation, fault, isRepeated, random.nextInt(certain(operation, count)), false);
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
        Map<Operation, Integer> taken = new HashMap<>();
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

    /** Number of requests that each life makes: how often objects are checked, and a status is written, depends on time. */
    private static int certain(Operation operation, int count) {
        return switch (operation.verb()) {
            case "create", "update" -> count;
            default -> (count + 2) / 3;
        };
    }

    /** Ends a failure that has lasted for a while, and notes whether the operator has shown it. */
    private static final class Watchdog {
        private final Case each;
        private final JobLife life;
        private final Failpoint failpoint;
        private long since;
        private volatile boolean shown;

        Watchdog(Case each, JobLife life) {
            this.each = each;
            this.life = life;
            this.failpoint = new Failpoint(
                    life.namespace(),
                    each.operation,
                    each.fault,
                    each.skipped,
                    each.isRepeated ? Integer.MAX_VALUE : 1);
        }

        void judge(List<String> violations) {
            if (failpoint.hits() == 0) {
                violations.add("no request failed: " + each);
            } else if (each.isRepeated && !each.isAnswer() && !shown) {
                violations.add("nothing showed the failure: " + each);
            }
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
            if (each.isRepeated && millis > (shown || each.isAnswer() ? aWhile() : PATIENCE_MILLIS)) {
                failpoint.end();
            }
        }

        private int aWhile() {
            return each.fault == Fault.TIMEOUT && each.operation.verb().equals("watch")
                    ? A_WHILE_WITHOUT_ANSWERS_MILLIS
                    : A_WHILE_MILLIS;
        }

        private boolean isShown() {
            if (each.operation.equals(STATUS) || each.operation.equals(DELETION)) {
                return life.cluster.metrics.failures() > 0;
            }
            if (each.operation.equals(EVENTS)) {
                return life.cluster.metrics.lostEvents() > 0;
            }
            if (each.isOfCache()) {
                return !life.isReady();
            }
            return each.fault.code() > 0 ? life.hasShown(each.fault.message()) : life.hasShown("Reconciled False");
        }
    }
}
