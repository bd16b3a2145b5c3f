// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocket;

/**
 * A halo of 2 KB there and back, slot to slot, while both processes compute with one thread each, against a ping-pong of the
 * same payload over a raw TLS socket beside the same load. Target: at most twice the median.
 *
 * <p>Two ways: values are taken and published as soon as they are in the slot, as the raw peer does; and by the computing
 * threads, between units of work, for which the raw peer has no counterpart: it is reported beside.
 *
 * <p>Each process has a processor of its own, as two machines have. Where both may run anywhere, the system either keeps the
 * two that talk on one processor or puts them on two, for seconds at a time, and a round trip takes twice as long in the second
 * case, for either peer: the ratio would show which of them was lucky.
 *
 * <p>Arguments: rounds (7), seconds for each (2).
 */
public final class LinkLatency {
    private static final int DOUBLES = 256;
    private static final int BYTES = Double.BYTES * DOUBLES;
    private static final int MOST = 1 << 20;
    private static final int WARM_UP_TRIPS = 60_000;

    private LinkLatency() {}

    /** Runs it. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
        double seconds = args.length > 1 ? Double.parseDouble(args[1]) : 2;
        List<Integer> processors = CpuAffinity.allowed();
        if (processors.size() < 2) {
            throw new IllegalStateException(
                    "two processors are needed, one for each process; this one may use " + processors);
        }
        CpuAffinity.tieThisProcess(processors.get(0));
        try (LinkProcess process = new LinkProcess(DOUBLES, CpuAffinity.tied(processors.get(1)));
                SSLSocket raw = RawTls.connect(process.identity, process.rawPort)) {
            process.awaitConnection();
            Pinger pinger = new Pinger(process);
            // Nothing of the path is compiled at first.
            for (int trips = 0; trips < WARM_UP_TRIPS; ) {
                trips += pinger.reflected(seconds).length;
            }
            raw(process, raw, seconds);
            double[] ratios = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                double[] ours = pinger.reflected(seconds);
                double[] theirs = raw(process, raw, seconds);
                double[] computed = pinger.computed(seconds);
                ratios[i] = quantile(ours, 0.5) / quantile(theirs, 0.5);
                System.out.printf(
                        Locale.ROOT,
                        "round %d: link %s; raw TLS %s; ratio %.2f; by computing threads %s%n",
                        i + 1,
                        describe(ours),
                        describe(theirs),
                        ratios[i],
                        describe(computed));
            }
            System.out.printf(
                    Locale.ROOT,
                    "median ratio of median round trips %.2f (target 2.00)%n",
                    LinkThroughput.median(ratios));
        }
    }

    /** Sends a halo whenever the last one is back. */
    private static final class Pinger {
        private final LinkProcess process;
        private final double[] samples = new double[MOST];
        private final AtomicBoolean onArrival = new AtomicBoolean();
        private volatile int count;
        private long iteration;
        private long sentAt;

        Pinger(LinkProcess process) {
            this.process = process;
            process.incoming.onArrival(() -> {
                if (onArrival.get()) {
                    look();
                }
            });
        }

        /** Round trips in microseconds, by event loops beside computing threads. */
        double[] reflected(double seconds) throws IOException {
            process.ask("reflect");
            start();
            onArrival.set(true);
            ping();
            double state = 1;
            for (long end = end(seconds); System.nanoTime() < end; ) {
                state = CpuLoad.unit(state);
            }
            return stop(state);
        }

        /** Round trips in microseconds, by the computing threads. */
        double[] computed(double seconds) throws IOException {
            process.ask("echo");
            start();
            ping();
            double state = 1;
            for (long end = end(seconds); System.nanoTime() < end; ) {
                look();
                state = CpuLoad.unit(state);
            }
            return stop(state);
        }

        private void start() {
            count = 0;
        }

        private double[] stop(double state) throws IOException {
            process.ask("idle");
            onArrival.set(false);
            return sorted(samples, count, state);
        }

        private void look() {
            if (process.incoming.take() && process.incoming.iteration() == iteration) {
                int n = count;
                samples[n % MOST] = (System.nanoTime() - sentAt) / 1e3;
                count = n + 1;
                ping();
            }
        }

        private void ping() {
            Arrays.fill(process.outgoing.begin(), (double) iteration);
            sentAt = System.nanoTime();
            process.outgoing.publish(LinkPeer.INCARNATION, 0, ++iteration, 0, false);
        }
    }

    private static long end(double seconds) {
        return System.nanoTime() + (long) (seconds * 1e9);
    }

    /** Round trips in microseconds; another thread computes. */
    private static double[] raw(LinkProcess process, SSLSocket socket, double seconds) throws Exception {
        process.ask("busy");
        AtomicBoolean stop = new AtomicBoolean();
        double[] state = {1};
        Thread load = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                state[0] = CpuLoad.unit(state[0]);
            }
        });
        double[] samples = new double[MOST];
        int n = 0;
        byte[] message = new byte[BYTES + 2];
        message[0] = (byte) (BYTES >> 8);
        message[1] = (byte) BYTES;
        OutputStream out = socket.getOutputStream();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        long end = end(seconds);
        while (System.nanoTime() < end && n < MOST) {
            long start = System.nanoTime();
            out.write(message);
            in.readFully(message);
            samples[n++] = (System.nanoTime() - start) / 1e3;
        }
        stop.set(true);
        load.join();
        process.ask("idle");
        return sorted(samples, n, state[0]);
    }

    private static double[] sorted(double[] samples, int n, double state) {
        if (Double.isNaN(state) || n == 0) {
            throw new IllegalStateException("no round trip in this round");
        }
        double[] result = Arrays.copyOf(samples, n);
        Arrays.sort(result);
        return result;
    }

    private static double quantile(double[] sorted, double q) {
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(q * sorted.length))];
    }

    private static String describe(double[] sorted) {
        return String.format(
                Locale.ROOT,
                "min %.0f median %.0f p99 %.0f µs (%d)",
                sorted[0],
                quantile(sorted, 0.5),
                quantile(sorted, 0.99),
                sorted.length);
    }
}
