// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.CProgram;
import dev.volary.bench.Median;
import dev.volary.bench.WholeJob;
import dev.volary.bench.peers.Section.Goal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The rate of point relaxation in a whole job against C and MPI, by {@link WholeJob}. */
final class RelaxationComparison implements Comparison {
    /** A smaller job would converge before it is measured. */
    private static final int LEAST_POINTS = 127;

    private static final double WARM_UP_SECONDS = 15;
    private static final double SECONDS = 15;
    /** For trials: enough for a few reports of the daemons. */
    private static final double SHORT_SECONDS = 4;

    @Override
    public Section measure(PeerOptions options, Toolchain tools) throws IOException, InterruptedException {
        int n = Math.max(LEAST_POINTS, options.relaxationPoints());
        double warmUp = options.isTrial() ? SHORT_SECONDS : WARM_UP_SECONDS;
        double seconds = options.isTrial() ? SHORT_SECONDS : SECONDS;
        Section section = new Section("Point relaxation, rate of a whole job")
                .text("""
                Projected Jacobi on the membrane, n = %d, one exchange of halos for each sweep, as in `bench/run job`. The
                rate is that of a job's own counters, backups and messages included, over %s s after %s s. C and MPI do the same
                sweeps on two ranks, with the pages that a program gets unasked and with huge ones, as the JVM of a worker has.""".formatted(n, Section.count(seconds), Section.count(warmUp)));
        Path inC;
        try {
            inC = CProgram.compileMpi(Path.of("bench", "kernels", "job.c"));
        } catch (IOException absent) {
            return section.text("Not measured: " + absent.getMessage());
        }
        List<Double> volary = new ArrayList<>();
        List<Double> plain = new ArrayList<>();
        List<Double> huge = new ArrayList<>();
        for (int round = 1; round <= options.rounds(); round++) {
            volary.add(WholeJob.volary(n, 1, warmUp, seconds));
            plain.add(WholeJob.inC(inC, n, 1, "plain", seconds));
            huge.add(WholeJob.inC(inC, n, 1, "huge", seconds));
            System.out.printf(
                    Locale.ROOT,
                    "relaxation, round %d: Volary %.0f, C + MPI %.0f, with huge pages %.0f million updates/s%n",
                    round,
                    volary.getLast(),
                    plain.getLast(),
                    huge.getLast());
        }
        section.table(
                List.of("program", "million updates/s, median", "lowest", "highest", "Volary / this"),
                List.of(
                        row("Volary, two daemons", volary, volary),
                        row("C + MPI, two ranks", plain, volary),
                        row("C + MPI, two ranks, huge pages", huge, volary)));
        return section.goal("Volary / C + MPI", median(volary) / median(plain), Goal.atLeast(0.95));
    }

    private static List<String> row(String name, List<Double> rates, List<Double> volary) {
        Median of = Median.of(rates);
        return List.of(
                name,
                Section.number(of.median()),
                Section.number(of.low()),
                Section.number(of.high()),
                Section.number(median(volary) / of.median()));
    }

    private static double median(List<Double> rates) {
        return Median.of(rates).median();
    }
}
