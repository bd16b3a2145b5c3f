// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.papers;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.model.Scheme;
import dev.volary.simulator.scenario.FailureModel;
import dev.volary.solvers.heat.HeatProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Tables 1 and 2 of the JACEP2P-V2 paper: a job of 252 daemons that are killed every n seconds. */
final class CrashTables {
    private static final int DAEMONS = 252;
    private static final int STANDBYS = 12;
    private static final int SITES = 3;
    /** Loose: what is compared are times of one job with and without crashes. */
    private static final double TOLERANCE = 1e-2;

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration CALIBRATION = Duration.ofMillis(100);

    private CrashTables() {}

    /**
     * A table of the paper.
     *
     * @param seconds without crashes
     * @param every seconds between two kills
     * @param versionOne times and crashes of JACEP2P, the column without crashes first
     * @param versionTwo times and crashes of JACEP2P-V2
     */
    private record Table(
            String title,
            double seconds,
            Duration latency,
            int victims,
            boolean isPerZone,
            List<Integer> every,
            List<String> versionOne,
            List<String> versionTwo) {}

    private static final Table FIRST = new Table(
            "Table 1: three random daemons every n seconds, on one site",
            495,
            Duration.ofNanos(250_000),
            3,
            false,
            List.of(90, 60, 30),
            List.of("522 s", "873 s (30)", "1003 s (51)", "1611 s (159)"),
            List.of("495 s", "565 s (18)", "595 s (28)", "744 s (68)"));
    private static final Table SECOND = new Table(
            "Table 2: one daemon of each of three sites every n seconds",
            581,
            Duration.ofMillis(5),
            1,
            true,
            List.of(90, 60, 50),
            List.of("565 s", "1438 s (48)", "2008 s (100)", "2050 s (122)"),
            List.of("581 s", "624 s (19)", "632 s (30)", "663 s (38)"));

    /** The lines of both tables. */
    static List<String> lines(long seed) {
        List<String> lines = new ArrayList<>();
        for (Table table : List.of(FIRST, SECOND)) {
            lines.addAll(lines(table, seed));
        }
        return lines;
    }

    private static List<String> lines(Table table, long seed) {
        SimulatedRun.Setup setup = new SimulatedRun.Setup(
                new HeatProblem(),
                Map.of("points", 63, "boundary", "Series", "method", "PointJacobi", "overlap", 0),
                Scheme.ASYNCHRONOUS,
                TOLERANCE,
                DAEMONS,
                STANDBYS,
                SITES,
                FailureDetectorConfig.standard(),
                table.latency(),
                CALIBRATION,
                1);
        double calibrated = SimulatedRun.of(setup, FailureModel.NONE, seed).seconds();
        Duration iteration = Duration.ofNanos((long) (CALIBRATION.toNanos() * table.seconds() / calibrated));
        List<String> lines = new ArrayList<>(List.of("", "**" + table.title() + "**", ""));
        StringBuilder head = new StringBuilder("| n | ∞ |");
        table.every().forEach(n -> head.append(' ').append(n).append(" |"));
        lines.add(head.toString());
        lines.add("|---|---|" + "---|".repeat(table.every().size()));
        lines.add(row("JACEP2P, the paper", table.versionOne()));
        lines.add(row("JACEP2P-V2, the paper", table.versionTwo()));
        SimulatedRun.Setup paced = setup.iterating(iteration);
        List<Variant> variants = List.of(
                new Variant("Volary", paced),
                new Variant("Volary with the ring of JACEP2P-V2", paced.detecting(FailureDetectorConfig.ring(TIMEOUT))),
                new Variant(
                        "Volary with all heartbeats to one place, as JACEP2P",
                        paced.detecting(FailureDetectorConfig.centralised(TIMEOUT))));
        int columns = 1 + table.every().size();
        List<String> cells = IntStream.range(0, variants.size() * columns)
                .parallel()
                .mapToObj(i -> cell(run(table, variants.get(i / columns), i % columns, seed)))
                .toList();
        for (int v = 0; v < variants.size(); v++) {
            lines.add(row(variants.get(v).name(), cells.subList(v * columns, (v + 1) * columns)));
        }
        return lines;
    }

    private record Variant(String name, SimulatedRun.Setup setup) {}

    /** Column 0 is without crashes. */
    private static SimulatedRun run(Table table, Variant variant, int column, long seed) {
        FailureModel kills = column == 0
                ? FailureModel.NONE
                : new Perturbator(
                        Duration.ofSeconds(table.every().get(column - 1)), table.victims(), table.isPerZone(), seed);
        return SimulatedRun.of(variant.setup(), kills, seed);
    }

    private static String cell(SimulatedRun run) {
        return run.crashes() == 0
                ? String.format(Locale.ROOT, "%.0f s", run.seconds())
                : String.format(Locale.ROOT, "%.0f s (%d)", run.seconds(), run.crashes());
    }

    private static String row(String name, List<String> cells) {
        return "| " + name + " | " + String.join(" | ", cells) + " |";
    }
}
