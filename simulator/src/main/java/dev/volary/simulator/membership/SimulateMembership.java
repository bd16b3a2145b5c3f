// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import dev.volary.simulator.console.CommandLineOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Runs simulations of failure detection from the command line: {@code --scenario NAME} (else all), {@code --seed N} (else 1),
 * {@code --runs N} with consecutive seeds (else 1), {@code --seconds N} with 20 % loss and pauses of up to 1 s of every member
 * instead of a scenario. Prints a line for each run that failed and a sum for each scenario; the exit code is 1 if anything
 * failed, 2 for bad input.
 */
public final class SimulateMembership {
    private SimulateMembership() {}

    /** The entry point. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    @SuppressWarnings("SystemOut") // a command line program
    static int run(String... arguments) {
        List<MembershipScenario> scenarios;
        long seed;
        long runs;
        try {
            CommandLineOptions options = CommandLineOptions.parse(
                    List.of(arguments), List.of("--scenario", "--seconds", "--seed", "--runs"));
            scenarios = scenarios(options);
            seed = options.number("--seed", 1);
            runs = options.number("--runs", 1);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return 2;
        }
        boolean sound = true;
        for (MembershipScenario scenario : scenarios) {
            List<MembershipReport> reports = LongStream.range(seed, seed + runs)
                    .parallel()
                    .mapToObj(each -> MembershipScenarioRun.run(scenario, each))
                    .toList();
            List<MembershipReport> failed = reports.stream()
                    .filter(report -> !report.violations().isEmpty())
                    .toList();
            failed.stream().limit(5).forEach(System.out::println);
            sound &= failed.isEmpty();
            System.out.printf(
                    "%-24s %d runs, %d failed; crash to verdict mean %.3f s, longest %.3f s; %d live ones declared;"
                            + " %.2f messages/s; %d suspicions%n",
                    scenario.name(),
                    runs,
                    failed.size(),
                    reports.stream()
                            .flatMap(report -> report.delays().stream())
                            .mapToDouble(delay -> delay / 1e9)
                            .average()
                            .orElse(Double.NaN),
                    reports.stream()
                            .mapToDouble(MembershipReport::longestSeconds)
                            .filter(Double::isFinite)
                            .max()
                            .orElse(Double.NaN),
                    reports.stream().mapToInt(MembershipReport::mistakes).sum(),
                    reports.stream()
                            .mapToDouble(MembershipReport::messagesPerSecond)
                            .average()
                            .orElse(Double.NaN),
                    reports.stream().mapToInt(MembershipReport::suspicions).sum());
        }
        return sound ? 0 : 1;
    }

    private static List<MembershipScenario> scenarios(CommandLineOptions options) {
        long seconds = options.number("--seconds", 0);
        if (seconds > 0) {
            return List.of(MembershipScenario.hour(Duration.ofSeconds(seconds)));
        }
        return options.text("--scenario")
                .map(name -> List.of(MembershipScenario.named(name)))
                .orElseGet(MembershipScenario::all);
    }
}
