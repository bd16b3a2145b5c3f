// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Halos of 1 MB over loopback, slot to slot between two processes, against a bare gRPC stream of byte arrays of the same size
 * with the same window and the same TLS provider. Target: at least 0.7.
 *
 * <p>Arguments: rounds (7), seconds for each (2).
 */
public final class LinkThroughput {
    private static final int DOUBLES = 1 << 17;
    private static final int BYTES = Double.BYTES * DOUBLES;
    /** Encryption is slow until it is compiled. */
    static final double WARM_UP = 3;

    private static final long NAP_NANOS = 100_000;

    private LinkThroughput() {}

    /** Runs it. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
        double seconds = args.length > 1 ? Double.parseDouble(args[1]) : 2;
        byte[] message = new byte[BYTES];
        try (LinkProcess process = new LinkProcess(DOUBLES, List.of());
                BareGrpc.Client bare = new BareGrpc.Client(process.identity, process.barePort, message)) {
            double[] ours = new double[rounds];
            double[] theirs = new double[rounds];
            double[] ratios = new double[rounds];
            process.awaitConnection();
            link(process, WARM_UP * seconds);
            bare(process, bare, message, WARM_UP * seconds);
            for (int i = 0; i < rounds; i++) {
                ours[i] = link(process, seconds);
                theirs[i] = bare(process, bare, message, seconds);
                ratios[i] = ours[i] / theirs[i];
                System.out.printf(
                        Locale.ROOT, "round %d: link %.0f MB/s, bare gRPC %.0f MB/s%n", i + 1, ours[i], theirs[i]);
            }
            System.out.printf(
                    Locale.ROOT,
                    "median: link %.0f MB/s, bare gRPC %.0f MB/s, ratio %.2f (target 0.70)%n",
                    median(ours),
                    median(theirs),
                    median(ratios));
        }
    }

    private static long iteration;

    private static double link(LinkProcess process, double seconds) throws Exception {
        long before = Long.parseLong(process.ask("frames"));
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        long sent = process.outgoing.telemetry().frames();
        while (System.nanoTime() < end) {
            double[] buffer = process.outgoing.begin();
            Arrays.fill(buffer, (double) iteration);
            process.outgoing.publish(LinkPeer.INCARNATION, 0, ++iteration, 0, false);
            // As a solver would: the next values come when these are on their way.
            for (long now = sent; now == sent && System.nanoTime() < end; ) {
                LockSupport.parkNanos(NAP_NANOS);
                now = process.outgoing.telemetry().frames();
            }
            sent = process.outgoing.telemetry().frames();
        }
        double rate = (Long.parseLong(process.ask("frames")) - before) * (double) BYTES / (System.nanoTime() - start);
        settle(process, "frames");
        return rate * 1e3;
    }

    private static double bare(LinkProcess process, BareGrpc.Client client, byte[] message, double seconds)
            throws Exception {
        long before = Long.parseLong(process.ask("bytes"));
        long start = System.nanoTime();
        client.sendFor(message, (long) (seconds * 1e9));
        double rate = (Long.parseLong(process.ask("bytes")) - before) / (double) (System.nanoTime() - start);
        settle(process, "bytes");
        return rate * 1e3;
    }

    /** Waits until nothing is on the way. */
    private static void settle(LinkProcess process, String counter) throws Exception {
        String last = "";
        for (String now = process.ask(counter); !now.equals(last); now = process.ask(counter)) {
            last = now;
            Thread.sleep(50);
        }
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    }
}
