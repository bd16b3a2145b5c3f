// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.volary.job.resource.IterativeJob;
import dev.volary.operator.reconcile.OperatorScenario.Fault;
import dev.volary.operator.simulated.ApiAnswer;
import dev.volary.operator.simulated.ApiRequest;
import dev.volary.operator.simulated.SimulatedApiServer;
import dev.volary.operator.simulated.SimulatedCluster;
import dev.volary.operator.simulated.SimulatedHttpClient;
import dev.volary.operator.simulated.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a scenario: real operators against a simulated cluster in virtual time. Faults happen for five minutes; then the job must
 * reach its end, and the operator must have nothing left to do.
 */
final class OperatorSimulation implements SimulatedOperator.Observer {
    private static final Duration FAULTS = Duration.ofMinutes(5);
    private static final Duration SETTLING = Duration.ofMinutes(40);
    /** After this time each lost worker was replaced. */
    private static final Duration MADE_UP_FOR = Duration.ofMinutes(6);

    private static final Duration SETTLED = Duration.ofMinutes(20);

    /** For a run that is not traced. */
    static final Consumer<String> NONE = line -> {};

    private static final ObjectNode EVENT =
            JsonNodeFactory.instance.objectNode().put("kind", "Event").put("apiVersion", "events.k8s.io/v1");

    private final OperatorScenario scenario;
    private final long seed;
    private final Consumer<String> trace;
    private final boolean isTraced;
    private final VirtualTime time = new VirtualTime();
    private final SimulatedApiServer server = new SimulatedApiServer(time);
    private final SimulatedCluster cluster;
    private final OperatorChecker checker;
    private final FailureChecker failures;
    private final RequestFaults faults;
    private final Random random;
    private final OperatorProcesses processes;
    private final Deque<String> jobs = new ArrayDeque<>();
    private final SimulatedWatches watches;
    private final LossChecker losses;
    private final ScenarioFaults others;
    private Duration unavailableUntil = Duration.ZERO;
    private int requests;
    private long events;
    private long digest;

    private OperatorSimulation(OperatorScenario scenario, long seed, Consumer<String> trace) {
        this.trace = trace;
        this.isTraced = !trace.equals(NONE);
        this.scenario = scenario;
        this.seed = seed;
        this.random = new Random(seed * 31 + 1);
        this.cluster = new SimulatedCluster(time, server, new Random(seed * 31 + 2), Duration.ofSeconds(30), 3);
        cluster.workers().workload(scenario.workload());
        if (scenario.has(Fault.TRUSTING)) {
            cluster.useHostNetwork();
        }
        this.processes = new OperatorProcesses(
                scenario,
                time,
                random,
                FAULTS,
                () -> new SimulatedOperator(
                        time,
                        server,
                        cluster.workers(),
                        new Random(seed * 31 + 5),
                        scenario.has(Fault.TRUSTING),
                        this));
        this.checker = new OperatorChecker(time, server, cluster.workers(), scenario);
        this.failures = new FailureChecker(time, server, checker);
        this.faults = new RequestFaults(
                new Random(seed * 31 + 3), FAULTS, scenario.has(Fault.REQUESTS), scenario.has(Fault.LOST_ANSWERS));
        this.watches =
                new SimulatedWatches(time, server, random, scenario.has(Fault.SLOW_WATCHES) ? FAULTS : Duration.ZERO);
        this.losses = new LossChecker(time, checker::violated);
        this.others = new ScenarioFaults(scenario, new Random(seed * 31 + 4), time, server, cluster, FAULTS);
        server.onChange(this::changed);
    }

    static OperatorReport run(OperatorScenario scenario, long seed) {
        return run(scenario, seed, NONE);
    }

    /** @param trace receives a line for each request and each change of an object */
    static OperatorReport run(OperatorScenario scenario, long seed, Consumer<String> trace) {
        return new OperatorSimulation(scenario, seed, trace).run();
    }

    private OperatorReport run() {
        processes.start();
        others.plan();
        processes.plan();
        if (scenario.has(Fault.CUT_WATCHES)) {
            planOutages();
        }
        time.pass(FAULTS);
        time.pass(MADE_UP_FOR);
        checker.settled();
        time.pass(SETTLING.minus(MADE_UP_FOR));
        long version = server.version();
        long published = events;
        time.pass(SETTLED);
        if (server.version() != version || events != published) {
            checker.violated("the operator still writes an hour after the last fault: " + (server.version() - version)
                    + " changes, " + (events - published) + " events");
        }
        new FinalStateChecker(server, cluster.workers(), checker::violated).check(scenario);
        return new OperatorReport(scenario.name(), seed, checker.violations(), requests, digest);
    }

    private void changed(SimulatedApiServer.Change change) {
        trace(() -> "    " + change.kind() + " " + change.resource() + " " + SimulatedApiServer.name(change.object())
                + " " + change.object().path("status"));
        losses.changed(change);
        watches.changed(change, processes.alive());
    }

    /** The API server is unavailable, at times that end not long after the job. Pods are lost meanwhile. */
    private void planOutages() {
        int times = 1 + random.nextInt(3);
        long latest = scenario.workload().computing().toMillis() * 3 / 2;
        for (int i = 0; i < times; i++) {
            Duration outage = Duration.ofMillis(random.nextInt(40_000));
            time.after(Duration.ofMillis(random.nextLong(latest)), () -> {
                unavailableUntil = time.elapsed().plus(outage);
                trace(() -> "the API server is unavailable for " + outage);
                processes
                        .alive()
                        .forEach(each ->
                                SimulatedWatches.RESOURCES.forEach(resource -> watches.cut(each, resource, outage)));
                time.after(outage.dividedBy(2), () -> others.hurt(random.nextInt(6)));
            });
        }
    }

    @Override
    public SimulatedHttpClient.Transport transport(SimulatedOperator operator) {
        return request -> send(operator, request);
    }

    @Override
    public void began(IterativeJob job) {
        jobs.push(job.getMetadata().getUid());
    }

    @Override
    public void ended() {
        jobs.pop();
    }

    @Override
    public void reconciled(SimulatedOperator operator, IterativeJob job, @Nullable Exception failure) {
        if (operator.isAlive()) {
            failures.reconciled(job, failure);
            if (failure != null) {
                trace(() -> "the reconciliation failed: " + FailedAttempts.cause(failure));
            }
        }
    }

    private ApiAnswer send(SimulatedOperator operator, ApiRequest request) throws IOException {
        String job = jobs.peek();
        if (job == null) {
            throw new IllegalStateException("a request for no job: " + request);
        }
        requests++;
        time.pass(latency());
        if (!operator.isAlive()) {
            throw new IOException("this process has ended");
        }
        if (processes.isLast(operator)) {
            boolean hasEffect = random.nextBoolean();
            processes.kill(operator);
            if (hasEffect) {
                execute(request, job);
            }
            throw new IOException("this process ends");
        }
        if (time.elapsed().compareTo(unavailableUntil) < 0) {
            failures.answered(request, false);
            throw new IOException("injected: connection refused");
        }
        RequestFaults.Kind fault = faults.of(request, time.elapsed()).orElse(null);
        if (fault == null) {
            ApiAnswer answer = execute(request, job);
            time.pass(latency());
            return answer;
        }
        mix(fault.name().hashCode());
        trace(() -> request + ": injected " + fault);
        if (fault.answer().isPresent()) {
            failures.answered(request, false);
            return fault.answer().get();
        }
        return withoutAnswer(request, job, fault);
    }

    private ApiAnswer withoutAnswer(ApiRequest request, String job, RequestFaults.Kind fault) throws IOException {
        switch (fault) {
            case TIMEOUT_AFTER -> execute(request, job);
            case LATE -> time.after(Duration.ofMillis(random.nextInt(20_000)), () -> execute(request, job));
            case REPEATED -> {
                execute(request, job);
                time.pass(Duration.ofMillis(500));
                return execute(request, job);
            }
            default -> {} // it is never executed
        }
        failures.answered(request, false);
        time.pass(Duration.ofSeconds(1 + random.nextInt(10)));
        throw new IOException("injected: no answer");
    }

    private Duration latency() {
        return Duration.ofMillis(random.nextInt(50) == 0 ? 50 + random.nextInt(2000) : 1 + random.nextInt(8));
    }

    private ApiAnswer execute(ApiRequest request, String job) {
        if (request.resource().equals("events")) {
            events++;
            trace(() -> request.body());
            return ApiAnswer.ok(EVENT);
        }
        ObjectNode before = server.get(request.resource(), request.namespace(), request.name());
        ApiAnswer answer = server.execute(request);
        trace(() -> request + ": " + answer.code()
                + (answer.isSuccess() ? "" : " " + answer.body().path("message")));
        mix(request.toString().hashCode() * 31L + answer.code());
        failures.answered(request, answer.isSuccess());
        if (answer.isSuccess()) {
            ObjectNode after = request.verb().equals("create")
                    ? answer.body()
                    : server.get(request.resource(), request.namespace(), request.name());
            checker.executed(request, job, before, after);
            if (scenario.has(Fault.CUT_WATCHES)) {
                losses.executed(request, before, after);
            }
        }
        return answer;
    }

    private void trace(Supplier<String> line) {
        if (isTraced) {
            trace.accept("%9.3f %s".formatted(time.elapsed().toMillis() / 1000.0, line.get()));
        }
    }

    private void mix(long value) {
        digest = digest * 1_000_003 + value + time.elapsed().toMillis();
    }
}
