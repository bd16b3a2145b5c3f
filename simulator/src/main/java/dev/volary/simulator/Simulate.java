package dev.volary.simulator;

import java.util.List;

/**
 * Runs simulations from the command line: {@code --scenario NAME} (else all), {@code --seed N} (else 1), {@code --runs N} with
 * consecutive seeds (else 1). Prints a line for each run; the exit code is 1 if an invariant was violated, 2 for bad input.
 */
public final class Simulate {
    private Simulate() {}

    /** The entry point. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    @SuppressWarnings("SystemOut") // a command line program
    static int run(String... arguments) {
        List<Scenario> scenarios = Scenario.all();
        long seed = 1;
        int runs = 1;
        try {
            for (int i = 0; i < arguments.length; i += 2) {
                if (i + 1 == arguments.length) {
                    throw new IllegalArgumentException(arguments[i] + " needs a value");
                }
                String value = arguments[i + 1];
                switch (arguments[i]) {
                    case "--scenario" -> scenarios = List.of(Scenario.named(value));
                    case "--seed" -> seed = Long.parseLong(value);
                    case "--runs" -> runs = Integer.parseInt(value);
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
        for (Scenario scenario : scenarios) {
            for (int run = 0; run < runs; run++) {
                Report report = Simulation.of(scenario, seed + run).run();
                System.out.println(report);
                sound &= report.violations().isEmpty();
            }
        }
        return sound ? 0 : 1;
    }
}
