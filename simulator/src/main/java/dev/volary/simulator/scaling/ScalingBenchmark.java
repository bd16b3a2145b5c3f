// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scaling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints how messages, detection, replacement and snapshots fare as a job grows from 10 to 10 000 daemons, and writes it as a
 * CSV file and a plot.
 */
public final class ScalingBenchmark {
    private static final int[] DAEMONS = {10, 32, 100, 316, 1000, 3162, 10_000};
    private static final Duration START = Duration.ofSeconds(2);
    private static final int MOST_STARTS = 40;
    private static final Duration CALM = Duration.ofSeconds(8);
    private static final int CRASHES = 8;
    private static final Duration BETWEEN = Duration.ofSeconds(3);
    private static final double FLAT = 1.5;

    private ScalingBenchmark() {}

    /**
     * What one size measured.
     *
     * @param sent messages a second and daemon, standbys included, while nothing fails
     * @param mostSent of any worker, in the mean a second: a spawner, which sends to its whole group
     * @param detection from a silent death to the verdict, mean, seconds
     * @param replacement from a silent death to the block's start, mean, seconds
     * @param snapshot from the request to the verdict, mean, seconds
     */
    record Row(int daemons, double sent, double mostSent, double detection, double replacement, double snapshot) {}

    /** Takes the folder to write to, {@code docs} if not given, and the largest number of daemons. */
    @SuppressWarnings("SystemOut") // a command line program
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments.length > 0 ? arguments[0] : "docs");
        int most = arguments.length > 1 ? Integer.parseInt(arguments[1]) : DAEMONS[DAEMONS.length - 1];
        List<Row> rows = new ArrayList<>();
        System.out.println(
                "| daemons | messages/s and daemon | most of any worker | detection, s | replacement, s | snapshot, ms |");
        System.out.println("|---|---|---|---|---|---|");
        for (int daemons : DAEMONS) {
            if (daemons <= most) {
                Row row = row(daemons, 1);
                rows.add(row);
                System.out.printf(
                        Locale.ROOT,
                        "| %d | %.2f | %.1f | %.2f | %.2f | %.1f |%n",
                        row.daemons(),
                        row.sent(),
                        row.mostSent(),
                        row.detection(),
                        row.replacement(),
                        1000 * row.snapshot());
            }
        }
        Files.createDirectories(folder);
        Files.write(folder.resolve("growth.csv"), csv(rows));
        Files.write(folder.resolve("growth.svg"), GrowthPlot.svg(rows));
        System.out.println("written: " + folder.resolve("growth.csv") + ", " + folder.resolve("growth.svg"));
        System.out.println(verdict(rows));
    }

    /** Measures one size: first in calm, then with one silent death after the other. */
    static Row row(int daemons, long seed) {
        ScalingJob job = new ScalingJob(daemons, seed);
        for (int i = 0; i < MOST_STARTS && !job.allIterate(); i++) {
            job.run(START);
        }
        if (!job.allIterate()) {
            throw new IllegalStateException("a job of " + daemons + " daemons does not iterate");
        }
        job.run(START); // failure detection starts after the plan
        job.snapshots.clear();
        long sent = job.sentByDaemons();
        long most = job.mostSent();
        job.run(CALM);
        double seconds = CALM.toNanos() / 1e9;
        double perDaemon = (job.sentByDaemons() - sent) / seconds / job.daemons();
        double mostSent = (job.mostSent() - most) / seconds;
        double snapshot = mean(job.snapshots);
        int crashes = Math.min(CRASHES, Math.max(1, daemons / 2));
        for (int i = 0; i < crashes; i++) {
            job.crash();
            job.run(BETWEEN);
        }
        return new Row(daemons, perDaemon, mostSent, mean(job.detections), mean(job.replacements), snapshot);
    }

    private static double mean(List<Long> nanos) {
        return nanos.stream().mapToDouble(n -> n / 1e9).average().orElse(Double.NaN);
    }

    /** Flat, and no faster than the logarithm: against the first size that has several groups. */
    static String verdict(List<Row> rows) {
        Row first = rows.getFirst();
        Row last = rows.getLast();
        double log = Math.log(last.daemons()) / Math.log(first.daemons());
        boolean flat = last.sent() <= FLAT * first.sent();
        boolean slow = last.detection() <= log * first.detection()
                && last.replacement() <= log * first.replacement()
                && last.snapshot() <= log * first.snapshot();
        return String.format(
                Locale.ROOT,
                "growth: messages a second and daemon %.2f times as many, flat: %s; detection %.2f, replacement %.2f, snapshot"
                        + " %.2f times as long, log n grows %.2f times: %s",
                last.sent() / first.sent(),
                flat ? "reached" : "MISSED",
                last.detection() / first.detection(),
                last.replacement() / first.replacement(),
                last.snapshot() / first.snapshot(),
                log,
                slow ? "reached" : "MISSED");
    }

    private static List<String> csv(List<Row> rows) {
        List<String> lines = new ArrayList<>(
                List.of("daemons,messages_per_s,most_messages_per_s,detection_s,replacement_s,snapshot_s"));
        for (Row row : rows) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%d,%.3f,%.3f,%.4f,%.4f,%.5f",
                    row.daemons(),
                    row.sent(),
                    row.mostSent(),
                    row.detection(),
                    row.replacement(),
                    row.snapshot()));
        }
        return lines;
    }
}
