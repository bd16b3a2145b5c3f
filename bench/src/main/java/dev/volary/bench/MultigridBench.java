// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import com.sun.management.ThreadMXBean;
import dev.volary.solver.CoarseBlock;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Halos;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Residual;
import dev.volary.solver.RoundBlock;
import dev.volary.solver.Shape;
import dev.volary.solvers.kernel.GhostGrid;
import dev.volary.solvers.kernel.Relaxation;
import dev.volary.solvers.kernel.SweepRegion;
import dev.volary.solvers.multigrid.GridData;
import dev.volary.solvers.multigrid.GridOperator;
import dev.volary.solvers.multigrid.GridRounds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * One round of multigrid on one block, against the same cycle in C, alternately in one run:
 * {@code bench/run multigrid [n [repetitions]]}; n + 1 must be a power of two. Prints medians of processor time, which other
 * users of the machine disturb less than the time of the clock; the target is at most 1.15 times C for the block's part of a round.
 * Java uses vectors; {@code BENCH_JAVA_FLAGS=-Dvolary.kernel=plain} measures what grids below four million points use.
 */
public final class MultigridBench {
    private static final double TARGET = 1.15;
    private static final int COMPILING_ROUNDS = 40;
    private static final int WARM = 2;
    private static final int ROUNDS = 9;
    /** Few, for C may contract a product and a sum, and the residual goes down to rounding. */
    private static final int COMPARED_ROUNDS = 3;

    private static final double SAME_RESIDUAL = 1e-9;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private MultigridBench() {}

    public static void main(String[] args) throws Exception {
        int[] sizes = args.length > 0 ? new int[] {Integer.parseInt(args[0])} : new int[] {127, 255};
        int repetitions = args.length > 1 ? Integer.parseInt(args[1]) : 7;
        Path program = CProgram.compile(Path.of("bench", "kernels", "multigrid.c"));
        System.out.println("Java " + Runtime.version()
                + ", gcc -O3 -march=native with huge pages; milliseconds of one processor, medians of " + repetitions
                + " times " + ROUNDS + " rounds, one block, L = 1");
        System.out.printf(
                "%-14s %-8s %9s %9s %9s %9s %9s%n", "problem", "part", "Java", "C", "C fused", "Java/C", "J/C fused");
        boolean reached = true;
        for (int n : sizes) {
            for (boolean obstacle : new boolean[] {false, true}) {
                reached &= measure(program, n, obstacle, repetitions);
            }
        }
        System.out.println(
                reached
                        ? "target reached: every block's Java/C ≤ " + TARGET
                        : "target missed: some block's Java/C > " + TARGET);
    }

    /**
     * Medians of a run of rounds.
     *
     * @param round milliseconds of processor time
     * @param block the block's part of it
     * @param coarse the coarse problem's part
     * @param residual after the last round
     * @param allocated bytes in a round
     */
    public record Times(double round, double block, double coarse, double residual, double allocated) {}

    /** Runs of Java, of C, and of C that passes the finest level through the caches once. */
    public record Comparison(List<Times> java, List<Times> unfused, List<Times> fused) {}

    /**
     * Measures Java and C alternately.
     *
     * @param program compiled from {@code bench/kernels/multigrid.c}
     * @param n points along each edge; n + 1 is a power of two
     * @param repetitions runs of each
     */
    public static Comparison compare(Path program, int n, boolean obstacle, int repetitions)
            throws IOException, InterruptedException, InvalidProblemException {
        List<Times> java = new ArrayList<>();
        List<Times> c = new ArrayList<>();
        List<Times> fused = new ArrayList<>();
        requireSameResidual(
                new OneBlock(n, obstacle).run(0, COMPARED_ROUNDS),
                inC(program, n, obstacle, "unfused", 0, COMPARED_ROUNDS));
        new OneBlock(n, obstacle).run(COMPILING_ROUNDS, 1);
        for (int i = 0; i < repetitions; i++) {
            java.add(new OneBlock(n, obstacle).run(WARM, ROUNDS));
            c.add(inC(program, n, obstacle, "unfused", WARM, ROUNDS));
            fused.add(inC(program, n, obstacle, "fused", WARM, ROUNDS));
        }
        return new Comparison(java, c, fused);
    }

    private static boolean measure(Path program, int n, boolean obstacle, int repetitions) throws Exception {
        Comparison runs = compare(program, n, obstacle, repetitions);
        String problem = (obstacle ? "obstacle " : "poisson ") + n;
        print(problem, "round", Times::round, runs);
        print(problem, "coarse", Times::coarse, runs);
        boolean reached = print(problem, "block", Times::block, runs) <= TARGET;
        System.out.printf(
                Locale.ROOT, "%-14s %.1f bytes allocated in a round%n", problem, median(runs.java(), Times::allocated));
        return reached;
    }

    private static void requireSameResidual(Times java, Times c) {
        if (!(Math.abs(java.residual() - c.residual()) <= SAME_RESIDUAL * c.residual())) {
            throw new IllegalStateException("C and Java disagree: after " + COMPARED_ROUNDS
                    + " rounds the residuals are " + c.residual() + " and " + java.residual());
        }
    }

    /** Returns the ratio to C. */
    private static double print(String problem, String name, ToDoubleFunction<Times> part, Comparison runs) {
        double inJava = median(runs.java(), part);
        double inC = median(runs.unfused(), part);
        double inFusedC = median(runs.fused(), part);
        System.out.printf(
                Locale.ROOT,
                "%-14s %-8s %9.2f %9.2f %9.2f %9.3f %9.3f%n",
                problem,
                name,
                inJava,
                inC,
                inFusedC,
                inJava / inC,
                inJava / inFusedC);
        return inJava / inC;
    }

    private static double median(List<Times> runs, ToDoubleFunction<Times> part) {
        return Median.of(runs.stream().mapToDouble(part).boxed().toList()).median();
    }

    private static Times inC(Path program, int n, boolean obstacle, String order, int warm, int rounds)
            throws IOException, InterruptedException {
        String[] words = CProgram.run(
                        program,
                        Integer.toString(n),
                        obstacle ? "obstacle" : "plain",
                        order,
                        Integer.toString(warm),
                        Integer.toString(rounds),
                        "huge")
                .split(" ", -1);
        return new Times(
                Double.parseDouble(words[0]),
                Double.parseDouble(words[1]),
                Double.parseDouble(words[2]),
                Double.parseDouble(words[3]),
                0);
    }

    /** A block that is the whole cube, and the coarse problem. */
    private static final class OneBlock {
        private final RoundBlock block;
        private final CoarseBlock coarse;
        private final double[] load;
        private final double[] map;

        OneBlock(int n, boolean obstacle) throws InvalidProblemException {
            GridOperator operator = GridOperator.poisson(Shape.of(n, n, n));
            GridRounds rounds = new GridRounds(operator, new Constant(obstacle), 1, 1.15, 2);
            Decomposition decomposition = rounds.decompose(1);
            block = rounds.block(decomposition, 0, (GhostGrid layout) -> new NoCertificate());
            coarse = rounds.coarseBlock(decomposition);
            load = new double[rounds.sizes(decomposition).load(0)];
            map = new double[rounds.sizes(decomposition).map(0)];
            // As in C, which starts from zero.
            block.takeMap(map);
        }

        Times run(int warm, int count) {
            List<Double> whole = new ArrayList<>();
            List<Double> ofBlock = new ArrayList<>();
            List<Double> ofCoarse = new ArrayList<>();
            long allocated = 0;
            for (int i = -warm; i < count; i++) {
                allocated -= i < 0 ? 0 : THREADS.getCurrentThreadAllocatedBytes();
                long begin = THREADS.getCurrentThreadCpuTime();
                block.iterate(NoHalos.INSTANCE);
                long middle = THREADS.getCurrentThreadCpuTime();
                block.writeLoad(load);
                coarse.load(0, load);
                coarse.round();
                coarse.writeMap(0, map);
                block.takeMap(map);
                long end = THREADS.getCurrentThreadCpuTime();
                if (i >= 0) {
                    allocated += THREADS.getCurrentThreadAllocatedBytes();
                    whole.add(1e-6 * (end - begin));
                    ofBlock.add(1e-6 * (middle - begin));
                    ofCoarse.add(1e-6 * (end - middle));
                }
            }
            return new Times(
                    Median.of(whole).median(),
                    Median.of(ofBlock).median(),
                    Median.of(ofCoarse).median(),
                    block.roundResidual(),
                    (double) allocated / count);
        }
    }

    /** f = 1, or f = −1 over an obstacle of −0.02. */
    private record Constant(boolean hasObstacle) implements GridData {
        @Override
        public boolean hasUniformSource() {
            return true;
        }

        @Override
        public double source(int plane, int row, int column) {
            return hasObstacle ? -1 : 1;
        }

        @Override
        public double obstacle(int plane, int row, int column) {
            return -0.02;
        }
    }

    private enum NoHalos implements Halos {
        INSTANCE;

        @Override
        public int size() {
            return 0;
        }

        @Override
        public double[] values(int k) {
            throw new IndexOutOfBoundsException(k);
        }

        @Override
        public boolean fresh(int k) {
            throw new IndexOutOfBoundsException(k);
        }
    }

    /** Rounds need none. */
    private static final class NoCertificate implements Relaxation {
        @Override
        public void setBoundary(double[] grid) {}

        @Override
        public double sweep(double[] from, double[] to, SweepRegion patch, boolean measure) {
            throw new IllegalStateException("a round block does not relax");
        }

        @Override
        public double hint(double change) {
            throw new IllegalStateException("a round block has its own hint");
        }

        @Override
        public Residual residualOfRow(double[] grid, SweepRegion patch, int plane, int row) {
            return Residual.ZERO; // for the JVM to compile
        }
    }
}
