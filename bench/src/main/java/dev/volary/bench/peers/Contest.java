// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.Median;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The results of programs that ran in turn, round by round, and why some have none. */
final class Contest {
    /** A program that takes longer runs once, which leaves time for more runs of the others. */
    static final int LONG_SECONDS = 60;

    private final Map<String, List<PeerResult>> results = new LinkedHashMap<>();
    private final Map<String, String> failures = new LinkedHashMap<>();

    /** A program with its options. */
    record Contender(String name, Attempt attempt) {}

    /** One run of a program. */
    interface Attempt {
        /** Runs it to its end. */
        PeerResult run() throws IOException, InterruptedException;
    }

    private Contest() {}

    /** Runs every program once in each round. One that fails, or takes longer than {@value #LONG_SECONDS} s, takes part no more. */
    static Contest hold(String problem, int rounds, List<Contender> contenders) throws InterruptedException {
        Contest contest = new Contest();
        for (int round = 1; round <= rounds; round++) {
            for (Contender contender : contenders) {
                if (contest.takesPart(contender.name())) {
                    contest.run(problem + ", round " + round, contender);
                }
            }
        }
        return contest;
    }

    private boolean takesPart(String name) {
        return !failures.containsKey(name)
                && results.getOrDefault(name, List.of()).stream()
                        .noneMatch(result -> result.wholeSeconds() > LONG_SECONDS);
    }

    private void run(String what, Contender contender) throws InterruptedException {
        try {
            PeerResult result = contender.attempt().run();
            results.computeIfAbsent(contender.name(), name -> new ArrayList<>()).add(result);
            System.out.printf(
                    Locale.ROOT,
                    "%s, %s: solve %.4f s, whole %.2f s, %.0f iterations, residual %.2e%n",
                    what,
                    contender.name(),
                    result.solveSeconds(),
                    result.wholeSeconds(),
                    result.iterations(),
                    result.residual());
        } catch (IOException failed) {
            String reason =
                    String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
            failures.put(contender.name(), reason);
            results.remove(contender.name());
            System.out.println(what + ", " + contender.name() + " failed: " + failed.getMessage());
        }
    }

    /** Programs with results, in their order. */
    List<String> names() {
        return List.copyOf(results.keySet());
    }

    /** Why a program has no result, by its name. */
    Map<String, String> failures() {
        return failures;
    }

    /** The median of one measure; NaN if the program has no result. */
    double median(String name, ToDoubleFunction<PeerResult> measure) {
        List<Double> values = results.getOrDefault(name, List.of()).stream()
                .map(measure::applyAsDouble)
                .toList();
        return values.isEmpty() ? Double.NaN : Median.of(values).median();
    }

    /** The largest value of one measure; NaN if the program has no result. */
    double largest(String name, ToDoubleFunction<PeerResult> measure) {
        return results.getOrDefault(name, List.of()).stream()
                .mapToDouble(measure)
                .max()
                .orElse(Double.NaN);
    }

    /** The program whose name starts so and whose median is smallest. */
    Optional<String> best(String prefix, ToDoubleFunction<PeerResult> measure) {
        return results.keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .min(Comparator.comparingDouble(name -> median(name, measure)));
    }
}
