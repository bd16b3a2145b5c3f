// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.papers;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.model.Scheme;
import dev.volary.simulator.scenario.FailureModel;
import dev.volary.solvers.obstacle.ObstacleProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the asynchronous scheme gains over the synchronous one for the obstacle problem of the GRIDHPC paper, by projected relaxation:
 * with more daemons, more points, and a slower slow node.
 */
final class SchemeTables {
    private static final Duration LATENCY = Duration.ofMillis(2);
    /** Of a block, whatever its size: what is varied are the daemons, not their speed. */
    private static final Duration ITERATION = Duration.ofMillis(20);

    private static final double TOLERANCE = 1e-4;
    private static final int POINTS = 31;
    private static final int DAEMONS = 8;
    private static final double SLOW = 2;

    private SchemeTables() {}

    /** The lines of the tables. */
    static List<String> lines(long seed) {
        List<String> lines = new ArrayList<>(List.of(
                "",
                "| points | daemons | slow node | asynchronous | synchronous | gain |",
                "|---|---|---|---|---|---|"));
        for (int daemons : new int[] {2, 4, 8, 16, 32}) {
            lines.add(row(POINTS, daemons, SLOW, seed));
        }
        for (int points : new int[] {15, 23, 47}) {
            lines.add(row(points, DAEMONS, SLOW, seed));
        }
        for (double slow : new double[] {1, 5, 10}) {
            lines.add(row(POINTS, DAEMONS, slow, seed));
        }
        return lines;
    }

    private static String row(int points, int daemons, double slow, long seed) {
        double asynchronous = seconds(Scheme.ASYNCHRONOUS, points, daemons, slow, seed);
        double synchronous = seconds(Scheme.SYNCHRONOUS, points, daemons, slow, seed);
        return String.format(
                Locale.ROOT,
                "| %d³ | %d | %s | %.1f s | %.1f s | %.2f |",
                points,
                daemons,
                slow == 1 ? "none" : String.format(Locale.ROOT, "%.0f times slower", slow),
                asynchronous,
                synchronous,
                synchronous / asynchronous);
    }

    private static double seconds(Scheme scheme, int points, int daemons, double slow, long seed) {
        SimulatedRun.Setup setup = new SimulatedRun.Setup(
                new ObstacleProblem(),
                Map.of("points", points, "data", "Membrane", "method", "Relaxation"),
                scheme,
                TOLERANCE,
                daemons,
                0,
                0,
                FailureDetectorConfig.standard(),
                LATENCY,
                ITERATION,
                slow);
        return SimulatedRun.of(setup, FailureModel.NONE, seed).seconds();
    }
}
