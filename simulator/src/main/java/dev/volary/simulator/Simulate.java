// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.console.CommandLineOptions;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.Scenarios;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/**
 * Runs simulations from the command line: {@code --scenario NAME} (else all), {@code --seed N} (else 1), {@code --runs N} runs
 * shared by the scenarios, with consecutive seeds (else one of each). Many runs are shared so that each scenario handles about as
 * many events: short ones have more seeds. Each of a few runs is printed; of many only those that violate an invariant or
 * end as they must not, each with the line that runs it again. The exit code is 1 if there was one, 2 for bad input.
 */
public final class Simulate {
    /** Most runs of a scenario that are all printed. */
    private static final long FEW = 20;
    /** Runs of each scenario that tell how many events it has. */
    private static final int SAMPLE = 4;

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
        long[] shares = shares(runs, scenarios, seed);
        for (int i = 0; i < shares.length; i++) {
            sound &= run(scenarios.get(i), seed, shares[i]);
        }
        return sound ? 0 : 1;
    }

    /** How many runs each scenario has, at least one. */
    private static long[] shares(long runs, List<Scenario> scenarios, long seed) {
        long equal = Math.max(1, runs / scenarios.size());
        if (equal <= FEW || scenarios.size() == 1) {
            return scenarios.stream().mapToLong(scenario -> equal).toArray();
        }
        double[] perEvent = scenarios.parallelStream()
                .mapToDouble(scenario -> 1
                        / LongStream.range(seed, seed + SAMPLE)
                                .mapToDouble(each ->
                                        Simulation.of(scenario, each).run().events())
                                .sum())
                .toArray();
        double events = runs / Arrays.stream(perEvent).sum();
        return Arrays.stream(perEvent)
                .mapToLong(each -> Math.max(1, Math.round(each * events)))
                .toArray();
    }

    @SuppressWarnings("SystemOut") // a command line program
    private static boolean run(Scenario scenario, long seed, long runs) {
        long start = System.nanoTime();
        ExpectedOutcome expected = new ExpectedOutcome(scenario);
        LongAdder wrong = new LongAdder();
        LongStream.range(seed, seed + runs).parallel().forEach(each -> {
            SimulationReport report = Simulation.of(scenario, each).run();
            Optional<String> complaint = expected.complaint(report);
            if (complaint.isPresent()) {
                wrong.increment();
                System.out.println(complaint.get());
            } else if (runs <= FEW) {
                System.out.println(report);
            }
        });
        if (runs > FEW) {
            System.out.printf(
                    "%s: %d runs, %d violate an invariant or end as they must not, %.1f ms each%n",
                    scenario.name(), runs, wrong.sum(), (System.nanoTime() - start) / 1e6 / runs);
        }
        return wrong.sum() == 0;
    }
}
