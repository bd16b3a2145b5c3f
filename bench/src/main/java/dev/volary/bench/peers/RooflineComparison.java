// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.CProgram;
import dev.volary.bench.CStencil;
import dev.volary.bench.JavaStencil;
import dev.volary.bench.Median;
import dev.volary.bench.MultigridBench;
import dev.volary.bench.MultigridBench.Times;
import dev.volary.bench.Sweep;
import dev.volary.bench.peers.Roofline.Work;
import dev.volary.bench.peers.Section.Goal;
import dev.volary.solver.InvalidProblemException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Kernels of the solvers against the same loops in C, and against the bandwidth and the arithmetic of the machine. */
final class RooflineComparison implements Comparison {
    private static final Path KERNELS = Path.of("bench", "kernels");
    private static final int TRIAD_EDGE = 4096;
    private static final int SMALL_TRIAD_EDGE = 1024;
    private static final int WARM = 10;
    private static final int SWEEPS = 40;
    private static final int COMPILING_ROUNDS = 2;
    private static final int LEAST_SWEEPS = 8;
    /** Reads a value of one array and writes one of another; four additions or multiplications on a square. */
    private static final Work HEAT = new Work(16, 4);
    /** As above; keep · u + step · (sum of six + source) in a cube. */
    private static final Work PROJECTED = new Work(16, 9);
    /**
     * A leg of a cycle, once through the caches: the values are read and written, and the coarse corrections and loads, an eighth of
     * the points, are read and written. Two sweeps of 10, a residual of 9, transfers of about 5.
     */
    private static final Work LEG = new Work(18, 34);
    /** The mask of points in contact adds a byte. */
    private static final Work PROJECTED_LEG = new Work(19, 34);

    /** A measured kernel; rates are million points a second. */
    private record Kernel(String name, int cores, Work work, double java, double c) {}

    @Override
    public Section measure(PeerOptions options, Toolchain tools) throws IOException, InterruptedException {
        Section section = new Section("Kernels and roofline").text("""
                The loops of the solvers without messages: Java with vectors against the same loops in C with huge pages, in millions of points a
                second. The limit is what the machine's bandwidth (the triad a = b + c · d, counted as STREAM does) or its arithmetic
                allows for the bytes that must at least move. A sweep also loads the values that it overwrites, so about 0.9 of the limit
                is attainable; grids that fit into the last cache can exceed it. A leg is the part of a round that a block computes,
                in processor time of one thread. It is compared with C that passes the finest level through the caches once and stores
                points in order, while Java stores red and black points apart.""");
        CStencil stencil;
        Path peak;
        Path multigrid;
        try {
            stencil = CStencil.compile(KERNELS.resolve("stencil.c"));
            multigrid = CProgram.compile(KERNELS.resolve("multigrid.c"));
            peak = CProgram.compile(Path.of("bench", "peers", "peak.c"));
        } catch (IOException absent) {
            return section.text("Not measured: " + absent.getMessage());
        }
        List<Roofline> roofs = new ArrayList<>();
        List<Kernel> kernels = new ArrayList<>();
        double gigaflops = Double.parseDouble(CProgram.run(peak, "1").split(" ", -1)[0]);
        int processors = Runtime.getRuntime().availableProcessors();
        try {
            for (int threads : processors > 1 ? new int[] {1, processors} : new int[] {1}) {
                roofs.add(new Roofline(threads, bandwidth(stencil, options, threads), gigaflops));
                int edge = options.isTrial() ? SMALL_TRIAD_EDGE : TRIAD_EDGE;
                kernels.add(sweep(stencil, Sweep.HEAT5, edge, threads, HEAT, options.rounds()));
                for (int n : options.sizes()) {
                    kernels.add(sweep(stencil, Sweep.PROJECTED7, n, threads, PROJECTED, options.rounds()));
                }
            }
            for (int n : options.sizes()) {
                kernels.add(leg(multigrid, n, false, options.rounds()));
                kernels.add(leg(multigrid, n, true, options.rounds()));
            }
        } catch (InvalidProblemException e) {
            throw new IOException("a kernel cannot be opened: " + e.getMessage(), e);
        }
        return describe(section, roofs, kernels);
    }

    private static double bandwidth(CStencil stencil, PeerOptions options, int threads)
            throws IOException, InterruptedException {
        double best = 0;
        for (int round = 0; round < options.rounds(); round++) {
            best = Math.max(
                    best,
                    stencil.run("triad", TRIAD_EDGE, threads, WARM, SWEEPS, CStencil.Pages.HUGE)
                            .rate());
        }
        return best;
    }

    private static Kernel sweep(CStencil stencil, Sweep sweep, int n, int threads, Work work, int rounds)
            throws IOException, InterruptedException, InvalidProblemException {
        for (int i = 0; i < COMPILING_ROUNDS; i++) {
            JavaStencil.run(sweep, "vector", n, threads, WARM, LEAST_SWEEPS);
        }
        List<Double> java = new ArrayList<>();
        List<Double> c = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            java.add(JavaStencil.run(sweep, "vector", n, threads, WARM, SWEEPS).rate());
            c.add(stencil.run(sweep.inC(), n, threads, WARM, SWEEPS, CStencil.Pages.HUGE)
                    .rate());
        }
        return print(new Kernel(
                sweep.title(n),
                threads,
                work,
                Median.of(java).median(),
                Median.of(c).median()));
    }

    private static Kernel leg(Path program, int n, boolean obstacle, int rounds)
            throws IOException, InterruptedException, InvalidProblemException {
        MultigridBench.Comparison runs = MultigridBench.compare(program, n, obstacle, rounds);
        double points = (double) n * n * n;
        return print(new Kernel(
                (obstacle ? "obstacle3d, leg " : "poisson3d, leg ") + n + "³",
                1,
                obstacle ? PROJECTED_LEG : LEG,
                1e-3 * points / median(runs.java(), Times::block),
                1e-3 * points / median(runs.fused(), Times::block)));
    }

    private static double median(List<Times> runs, ToDoubleFunction<Times> part) {
        return Median.of(runs.stream().mapToDouble(part).boxed().toList()).median();
    }

    private static Kernel print(Kernel kernel) {
        System.out.println("kernel " + kernel.name() + ", threads: " + kernel.cores() + ": Java "
                + Section.number(kernel.java()) + ", C " + Section.number(kernel.c()) + " million points/s");
        return kernel;
    }

    private static Section describe(Section section, List<Roofline> roofs, List<Kernel> kernels) {
        List<List<String>> machine = new ArrayList<>();
        for (Roofline roof : roofs) {
            machine.add(List.of(
                    Integer.toString(roof.cores()),
                    Section.number(roof.gigabytesPerSecond()),
                    Section.number(roof.cores() * roof.gigaflopsPerCore())));
        }
        section.table(List.of("cores", "triad, GB/s, best", "multiply-adds, Gflop/s"), machine);
        List<List<String>> rows = new ArrayList<>();
        List<RooflinePlot.Point> points = new ArrayList<>();
        for (Kernel kernel : kernels) {
            Roofline roof = roofs.stream()
                    .filter(each -> each.cores() == kernel.cores())
                    .findFirst()
                    .orElseThrow();
            double limit = roof.attainableRate(kernel.work());
            rows.add(List.of(
                    kernel.name(),
                    Integer.toString(kernel.cores()),
                    Section.count(kernel.work().bytes()),
                    Section.count(kernel.work().flops()),
                    Section.number(kernel.java()),
                    Section.number(kernel.c()),
                    Section.number(kernel.java() / kernel.c()),
                    Section.number(limit),
                    Section.number(kernel.java() / limit),
                    Section.number(kernel.c() / limit)));
            points.add(new RooflinePlot.Point(
                    kernel.name(),
                    kernel.cores(),
                    kernel.work().intensity(),
                    1e-3 * kernel.java() * kernel.work().flops()));
        }
        section.table(
                List.of(
                        "kernel",
                        "cores",
                        "bytes",
                        "flops",
                        "Java",
                        "C",
                        "Java / C",
                        "limit",
                        "Java / limit",
                        "C / limit"),
                rows);
        for (Kernel kernel : kernels) {
            if (kernel.name().contains("leg")) {
                // A goal of time, so the ratio of rates is turned round.
                section.goal(kernel.name() + ", time of Java / C", kernel.c() / kernel.java(), Goal.atMost(1.15));
            }
        }
        return section.picture(
                "performance-roofline.svg", "Kernels under the roofline", RooflinePlot.svg(roofs, points));
    }
}
