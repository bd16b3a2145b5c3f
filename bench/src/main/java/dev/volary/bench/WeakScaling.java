// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.model.Scheme;
import dev.volary.simulator.SimulatedJob;
import dev.volary.simulator.check.SimulatedJobReport;
import dev.volary.simulator.scenario.FailureModel;
import dev.volary.simulator.scenario.IterationCost;
import dev.volary.simulator.scenario.NetworkModel;
import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Resources;
import dev.volary.solver.Subdomain;
import dev.volary.solvers.poisson.PoissonProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Weak scaling of multigrid in rounds: from 1 to 64 daemons, each with a cube of the same size, the same tolerance. The rounds, all
 * messages and the certificate are those of the protocols, in virtual time; how fast the block that works most computes is measured
 * here before. Links have a latency and a bandwidth.
 */
public final class WeakScaling {
    private static final double[] LATENCIES_MILLIS = {0.1, 1, 10};
    private static final double TARGET = 0.8;
    private static final double TARGET_LATENCY_MILLIS = 1;
    private static final int[] CUBES_PER_EDGE = {1, 2, 4};
    private static final double BYTES_PER_SECOND = 1.25e9; // 10 Gbit/s
    private static final double TOLERANCE = 1e-8;
    private static final int WARM_ROUNDS = 30;
    private static final int MEASURED_ROUNDS = 15;

    private WeakScaling() {}

    /**
     * A decomposition and what a round of it costs.
     *
     * @param round seconds of one core for the block that works most
     * @param haloBytes of the largest halo
     */
    private record Size(Model model, Decomposition decomposition, double round, double haloBytes) {
        double updatesPerSecond() {
            return decomposition.parts().stream()
                            .mapToDouble(Subdomain::work)
                            .max()
                            .orElseThrow()
                    / round;
        }

        int daemons() {
            return decomposition.blocks();
        }
    }

    /** What a simulated job took. */
    private record Outcome(double seconds, double rounds) {}

    /**
     * Takes the points along each edge of a cube, a power of two minus one (63), a seed (1), and the most daemons (64): each cube of
     * 127³ points takes 200 MiB.
     */
    public static void main(String[] args) throws InvalidProblemException {
        int edge = args.length > 0 ? Integer.parseInt(args[0]) : 63;
        long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
        int most = args.length > 2 ? Integer.parseInt(args[2]) : 64;
        System.out.printf(
                Locale.ROOT,
                "poisson3d to %.0e, a cube of %d³ points a daemon, links of %.1f Gbit/s%n",
                TOLERANCE,
                edge,
                8e-9 * BYTES_PER_SECOND);
        System.out.println(
                "| daemons | unknowns | measured round, ms | latency, ms | rounds | time to the certificate, s | efficiency |");
        System.out.println("|---|---|---|---|---|---|---|");
        sizes(edge, most); // compiles the loops
        List<Size> sizes = sizes(edge, most);
        double worst = 1;
        for (double latency : LATENCIES_MILLIS) {
            double one = Double.NaN;
            for (Size size : sizes) {
                Outcome outcome = run(size, latency, seed);
                one = size.daemons() == 1 ? outcome.seconds() : one;
                double efficiency = one / outcome.seconds();
                System.out.printf(
                        Locale.ROOT,
                        "| %d | %d | %.2f | %.1f | %.1f | %.3f | %.2f |%n",
                        size.daemons(),
                        size.model().unknowns().size(),
                        1000 * size.round(),
                        latency,
                        outcome.rounds(),
                        outcome.seconds(),
                        efficiency);
                worst = latency == TARGET_LATENCY_MILLIS ? Math.min(worst, efficiency) : worst;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "efficiency at %.0f ms: %.2f, target at least %.1f: %s%n",
                TARGET_LATENCY_MILLIS,
                worst,
                TARGET,
                worst >= TARGET ? "reached" : "MISSED");
    }

    private static List<Size> sizes(int edge, int most) throws InvalidProblemException {
        List<Size> sizes = new ArrayList<>();
        for (int cubes : CUBES_PER_EDGE) {
            if (cubes * cubes * cubes <= most) {
                sizes.add(size((edge + 1) * cubes - 1, cubes * cubes * cubes));
            }
        }
        return sizes;
    }

    private static Size size(int points, int blocks) throws InvalidProblemException {
        PoissonProblem problem = new PoissonProblem();
        Model model = problem.open(ParameterValues.of(problem.parameters(), Map.of("points", points)), Inputs.none());
        Decomposition decomposition = model.decompose(blocks);
        int slowest = 0;
        long bytes = 0;
        for (int b = 0; b < blocks; b++) {
            if (decomposition.parts().get(b).work()
                    > decomposition.parts().get(slowest).work()) {
                slowest = b;
            }
            for (Edge edge : decomposition.incoming(b)) {
                bytes = Math.max(bytes, (long) Double.BYTES * edge.haloSize());
            }
        }
        return new Size(model, decomposition, round(model, decomposition, slowest), bytes);
    }

    /** The fastest of some rounds of a block, in seconds: others use the machine too. */
    private static double round(Model model, Decomposition decomposition, int id) throws InvalidProblemException {
        Block block = model.block(decomposition, id, Resources.SINGLE);
        Halos halos = ArrayHalos.zeros(decomposition, id);
        double fastest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < WARM_ROUNDS + MEASURED_ROUNDS; i++) {
            long start = System.nanoTime();
            block.iterate(halos);
            fastest = i < WARM_ROUNDS ? fastest : Math.min(fastest, (System.nanoTime() - start) / 1e9);
        }
        return fastest;
    }

    private static Outcome run(Size size, double latencyMillis, long seed) {
        Duration latency = Duration.ofNanos((long) (1e6 * latencyMillis));
        Duration halo = latency.plusNanos((long) (1e9 * size.haloBytes() / BYTES_PER_SECOND));
        SimulatedJob job = new SimulatedJob(
                "weak-scaling",
                size.model(),
                size.decomposition(),
                Scheme.ASYNCHRONOUS,
                false,
                TOLERANCE,
                size.daemons(),
                0,
                Math.ceilDiv(size.daemons(), SimulatedJob.GROUP),
                FailureDetectorConfig.standard(),
                0,
                0,
                Optional.empty(),
                0,
                new NetworkModel(halo, halo.dividedBy(20), 0, 0, 0),
                new NetworkModel(latency, latency.dividedBy(20), 0, 0, 0),
                new IterationCost(Duration.ZERO, size.updatesPerSecond()),
                1);
        SimulatedJobReport report = job.run(seed, FailureModel.NONE, () -> true);
        if (!(report.outcome().orElse(null) instanceof JobOutcome.Certified)
                || !report.violations().isEmpty()) {
            throw new IllegalStateException(size.daemons() + " daemons: " + report.report());
        }
        double iterating = report.time().minus(report.allIterating()).toNanos() / 1e9 + size.round();
        return new Outcome(iterating, (double) report.report().iterations() / size.daemons());
    }
}
