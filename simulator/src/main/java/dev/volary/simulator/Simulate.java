// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.Scenarios;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/**
 * Runs simulations from the command line: {@code --scenario NAME} (else all), {@code --seed N} (else 1), {@code --runs N} runs
 * shared by the scenarios, with consecutive seeds (else one of each). A few runs are told one by one; of many only those that
 * violate an invariant, each with the line that runs it again. The exit code is 1 if there was one, 2 for bad input.
 */
public final class Simulate {
    /** Up to so many runs of a scenario are told one by one. */
    private static final long FEW = 20;

    private Simulate() {}

    /** The entry point. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    @SuppressWarnings("SystemOut") // a command line program
    static int run(String... arguments) {
        List<Scenario> scenarios = Scenarios.all();
        long seed = 1;
        long runs = 0;
        try {
            for (int i = 0; i < arguments.length; i += 2) {
                if (i + 1 == arguments.length) {
                    throw new IllegalArgumentException(arguments[i] + " needs a value");
                }
                String value = arguments[i + 1];
                switch (arguments[i]) {
                    case "--scenario" -> scenarios = List.of(Scenarios.named(value));
                    case "--seed" -> seed = Long.parseLong(value);
                    case "--runs" -> runs = Long.parseLong(value);
                    default ->
                        throw new IllegalArgumentException(
                                "no option " + arguments[i] + ", use --scenario, --seed or --runs");
                }
            }
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return 2;
        }
        boolean sound = true;
        long each = Math.max(1, runs / scenarios.size());
        for (Scenario scenario : scenarios) {
            sound &= run(scenario, seed, each);
        }
        return sound ? 0 : 1;
    }

    @SuppressWarnings("SystemOut") // a command line program
    private static boolean run(Scenario scenario, long seed, long runs) {
        long start = System.nanoTime();
        LongAdder guilty = new LongAdder();
        LongStream.range(seed, seed + runs).parallel().forEach(each -> {
            SimulationReport report = Simulation.of(scenario, each).run();
            if (!report.violations().isEmpty()) {
                guilty.increment();
            }
            if (runs <= FEW || !report.violations().isEmpty()) {
                System.out.println(report);
            }
        });
        if (runs > FEW) {
            System.out.printf(
                    "%s: %d runs, %d violate an invariant, %.1f ms each%n",
                    scenario.name(), runs, guilty.sum(), (System.nanoTime() - start) / 1e6 / runs);
        }
        return guilty.sum() == 0;
    }
}
