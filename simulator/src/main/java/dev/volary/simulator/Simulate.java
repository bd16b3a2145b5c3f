// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.console.CommandLineOptions;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.Scenarios;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/**
 * Runs simulations from the command line: {@code --scenario NAME} (else all), {@code --seed N} (else 1), {@code --runs N} runs
 * shared by the scenarios, with consecutive seeds (else one of each). Each of a few runs is printed; of many only those that
 * violate an invariant, each with the line that runs it again. The exit code is 1 if there was one, 2 for bad input.
 */
public final class Simulate {
    /** Most runs of a scenario that are all printed. */
    private static final long FEW = 20;

    private Simulate() {}

    /** The entry point. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    @SuppressWarnings("SystemOut") // a command line program
    static int run(String... arguments) {
        List<Scenario> scenarios;
        long seed;
        long runs;
        try {
            CommandLineOptions options =
                    CommandLineOptions.parse(List.of(arguments), List.of("--scenario", "--seed", "--runs"));
            scenarios = options.text("--scenario")
                    .map(name -> List.of(Scenarios.named(name)))
                    .orElseGet(Scenarios::all);
            seed = options.number("--seed", 1);
            runs = options.number("--runs", 0);
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
        LongAdder violating = new LongAdder();
        LongStream.range(seed, seed + runs).parallel().forEach(each -> {
            SimulationReport report = Simulation.of(scenario, each).run();
            if (!report.violations().isEmpty()) {
                violating.increment();
            }
            if (runs <= FEW || !report.violations().isEmpty()) {
                System.out.println(report);
            }
        });
        if (runs > FEW) {
            System.out.printf(
                    "%s: %d runs, %d violate an invariant, %.1f ms each%n",
                    scenario.name(), runs, violating.sum(), (System.nanoTime() - start) / 1e6 / runs);
        }
        return violating.sum() == 0;
    }
}
