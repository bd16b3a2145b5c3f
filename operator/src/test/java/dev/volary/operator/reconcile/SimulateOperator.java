// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.simulator.console.CommandLineOptions;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;

/**
 * Simulates the operator from the command line: {@code --scenario NAME} (else all), {@code --seed N} (else 1), {@code --runs N} of
 * each scenario, with consecutive seeds (else one), {@code --trace all} with all requests and changes. Prints runs with violations, each with the line that runs it again, and a sum
 * for each scenario. The exit code is 1 if there was a violation, 2 for bad input.
 */
public final class SimulateOperator {
    /** Kept, because a logger without a reference loses its level. */
    private static final Logger LOG = Logger.getLogger("dev.volary.operator");

    private SimulateOperator() {}

    /** The entry point. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    @SuppressWarnings("SystemOut") // a command line program
    static int run(String... arguments) {
        List<OperatorScenario> scenarios;
        long seed;
        long runs;
        Consumer<String> trace;
        try {
            CommandLineOptions options =
                    CommandLineOptions.parse(List.of(arguments), List.of("--scenario", "--seed", "--runs", "--trace"));
            scenarios = options.text("--scenario")
                    .map(name -> List.of(OperatorScenario.named(name)))
                    .orElseGet(OperatorScenario::all);
            seed = options.number("--seed", 1);
            runs = options.number("--runs", 1);
            trace = options.text("--trace").isPresent() ? System.out::println : OperatorSimulation.NONE;
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return 2;
        }
        LOG.setLevel(Level.OFF);
        LongAdder violating = new LongAdder();
        for (OperatorScenario scenario : scenarios) {
            long start = System.nanoTime();
            LongAdder here = new LongAdder();
            LongStream.range(seed, seed + runs).parallel().forEach(each -> {
                OperatorReport report = OperatorSimulation.run(scenario, each, trace);
                if (!report.violations().isEmpty() || runs == 1) {
                    System.out.println(report);
                }
                here.add(report.violations().isEmpty() ? 0 : 1);
            });
            violating.add(here.sum());
            System.out.printf(
                    "%s: %d runs, %d with violations, %.1f ms each%n",
                    scenario.name(), runs, here.sum(), (System.nanoTime() - start) / 1e6 / runs);
        }
        return violating.sum() == 0 ? 0 : 1;
    }
}
