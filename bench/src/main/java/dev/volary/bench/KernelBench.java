// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import dev.volary.bench.CStencil.Pages;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Stencil sweeps against the same sweeps in C, alternately in one run: {@code bench/run kernels [n2 [n3 [rounds]]]}. Prints
 * the best of each, for other users of the machine take from its bandwidth for seconds at a time, and ten rounds meet a quiet
 * time on each side; the target is a ratio of at least 0.95 to C. The JVM has huge pages, as a worker's has; C is run with
 * the pages that a program gets unasked, which the target is about, and with huge ones beside it.
 */
public final class KernelBench {
    private static final int WARM = 10;
    private static final int SWEEPS = 40;
    /** The JVM's loops are compiled before anything is measured. */
    private static final int COMPILING_ROUNDS = 2;
    /** A sweep reads and writes each point at least once. */
    private static final double BYTES_PER_UPDATE = 16;

    private static final double SAME_SUM = 1e-11;

    private KernelBench() {}

    public static void main(String[] args) throws Exception {
        int n2 = args.length > 0 ? Integer.parseInt(args[0]) : 4096;
        int n3 = args.length > 1 ? Integer.parseInt(args[1]) : 256;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 10;
        CStencil inC = CStencil.compile(Path.of("bench", "kernels", "stencil.c"));
        int cores = Runtime.getRuntime().availableProcessors();
        System.out.println("Java " + Runtime.version() + ", " + cores + " processors, gcc -O3 -march=native; best of "
                + rounds + " rounds, each the fastest " + ThreadTeam.WINDOW + " of " + SWEEPS + " sweeps");
        System.out.println(
                "million updates a second; limit: STREAM triad at 16 bytes for each update, measured in the same rounds");
        System.out.printf(
                "%-28s %7s %8s %8s %8s %8s %9s %9s %9s %8s %9s %11s%n",
                "sweep",
                "threads",
                "C",
                "C huge",
                "vector",
                "plain",
                "vector/C",
                "v/C huge",
                "plain/C",
                "limit",
                "of limit",
                "bytes/sweep");
        boolean reached = true;
        for (Sweep sweep : Sweep.values()) {
            int n = sweep == Sweep.HEAT5 ? n2 : n3;
            for (int threads : cores > 1 ? new int[] {1, cores} : new int[] {1}) {
                reached &= measure(inC, sweep, n, threads, n2, rounds);
            }
        }
        System.out.println(reached ? "target reached: every vector/C ≥ 0.95" : "target missed: some vector/C < 0.95");
    }

    private static boolean measure(CStencil inC, Sweep sweep, int n, int threads, int triadEdge, int rounds)
            throws Exception {
        List<Run> c = new ArrayList<>();
        List<Run> cHuge = new ArrayList<>();
        List<Run> vector = new ArrayList<>();
        List<Run> plain = new ArrayList<>();
        List<Run> triad = new ArrayList<>();
        for (int i = 0; i < COMPILING_ROUNDS; i++) {
            JavaStencil.run(sweep, "vector", n, threads, WARM, SWEEPS);
            JavaStencil.run(sweep, "plain", n, threads, WARM, SWEEPS);
        }
        for (int i = 0; i < rounds; i++) {
            c.add(inC.run(sweep.inC(), n, threads, WARM, SWEEPS, Pages.PLAIN));
            cHuge.add(inC.run(sweep.inC(), n, threads, WARM, SWEEPS, Pages.HUGE));
            vector.add(JavaStencil.run(sweep, "vector", n, threads, WARM, SWEEPS));
            plain.add(JavaStencil.run(sweep, "plain", n, threads, WARM, SWEEPS));
            triad.add(inC.run("triad", triadEdge, threads, WARM, SWEEPS, Pages.HUGE));
        }
        requireSameSum(sweep, c.getFirst(), vector.getFirst());
        requireSameSum(sweep, c.getFirst(), plain.getFirst());
        double limit = best(triad) * 1e3 / BYTES_PER_UPDATE;
        double ratio = best(vector) / best(c);
        System.out.printf(
                "%-28s %7d %8.0f %8.0f %8.0f %8.0f %9.3f %9.3f %9.3f %8.0f %9.3f %11.1f%n",
                sweep.title(n),
                threads,
                best(c),
                best(cHuge),
                best(vector),
                best(plain),
                ratio,
                best(vector) / best(cHuge),
                best(plain) / best(c),
                limit,
                best(vector) / limit,
                vector.getLast().allocated());
        return ratio >= 0.95;
    }

    /** As STREAM does: what else the machine was doing only ever makes a run slower. */
    private static double best(List<Run> runs) {
        return runs.stream().mapToDouble(Run::rate).max().orElseThrow();
    }

    private static void requireSameSum(Sweep sweep, Run c, Run java) {
        if (!(Math.abs(c.sum() - java.sum()) <= SAME_SUM * Math.abs(c.sum()))) {
            throw new IllegalStateException(
                    "C and Java disagree on " + sweep + ": the values add up to " + c.sum() + " and " + java.sum());
        }
    }
}
