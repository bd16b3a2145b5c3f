// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.operator.reconcile.OperatorScenario.Fault;
import dev.volary.operator.simulated.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** The operator processes of a run: starts and kills them as the scenario says. */
final class OperatorProcesses {
    private final OperatorScenario scenario;
    private final VirtualTime time;
    private final Random random;
    private final Duration faults;
    private final Supplier<SimulatedOperator> starter;
    private final List<SimulatedOperator> operators = new ArrayList<>();
    private final Map<SimulatedOperator, Integer> requestsLeft = new HashMap<>();

    /**
     * @param faults until when processes are killed; later one runs
     * @param starter starts a process
     */
    OperatorProcesses(
            OperatorScenario scenario,
            VirtualTime time,
            Random random,
            Duration faults,
            Supplier<SimulatedOperator> starter) {
        this.scenario = scenario;
        this.time = time;
        this.random = random;
        this.faults = faults;
        this.starter = starter;
    }

    void start() {
        operators.add(starter.get());
    }

    /** Operators are killed at any time, most of them between two requests of a reconciliation. */
    void plan() {
        if (scenario.has(Fault.RESTARTS)) {
            int times = 1 + random.nextInt(5);
            for (int i = 0; i < times; i++) {
                time.after(anyTime(), () -> alive().forEach(each -> requestsLeft.put(each, random.nextInt(12))));
            }
        }
        if (scenario.has(Fault.OUTAGE)) {
            boolean isEarly = random.nextBoolean(); // while the job forms
            time.after(isEarly ? Duration.ofMillis(random.nextInt(12_000)) : anyTime(), () -> {
                alive().forEach(SimulatedOperator::kill);
                time.after(Duration.ofSeconds(5 + random.nextInt(140)), this::startIfNone);
            });
        }
        if (scenario.has(Fault.OVERLAP)) {
            int times = 1 + random.nextInt(3);
            for (int i = 0; i < times; i++) {
                time.after(anyTime(), () -> {
                    List<SimulatedOperator> old = alive();
                    start();
                    time.after(Duration.ofMillis(random.nextInt(15_000)), () -> old.forEach(SimulatedOperator::kill));
                });
            }
        }
        time.after(faults, this::startIfNone);
    }

    private Duration anyTime() {
        return Duration.ofMillis(random.nextLong(faults.toMillis()));
    }

    List<SimulatedOperator> alive() {
        return operators.stream().filter(SimulatedOperator::isAlive).toList();
    }

    /** Whether this is the last request of a process that is killed. Counts it. */
    boolean isLast(SimulatedOperator operator) {
        Integer left = requestsLeft.get(operator);
        if (left == null) {
            return false;
        }
        requestsLeft.put(operator, left - 1);
        return left == 0;
    }

    /** Kills a process; another one starts some seconds later. */
    void kill(SimulatedOperator operator) {
        operator.kill();
        time.after(Duration.ofMillis(200 + random.nextInt(15_000)), this::startIfNone);
    }

    private void startIfNone() {
        if (alive().isEmpty()) {
            start();
        }
    }
}
