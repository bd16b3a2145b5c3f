// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.measure;

import dev.volary.solver.Block;
import dev.volary.solver.Halos;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Resources;
import dev.volary.solver.Sliced;
import dev.volary.worker.compute.FixedHalos;
import dev.volary.worker.runtime.OpenedProblem;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * What a block costs that iterates alone, on one thread, with the halos of the start.
 *
 * @param openSeconds to open it
 * @param iterationSeconds of one iteration: the median of the later half, when its code is compiled
 * @param iterations that were made
 * @param heapBytes that it occupies
 * @param isSliced whether several threads can share an iteration
 */
public record BlockMeasurement(
        double openSeconds, double iterationSeconds, int iterations, long heapBytes, boolean isSliced) {
    private static final int LEAST_ITERATIONS = 3;
    private static final int MOST_ITERATIONS = 100_000;

    /**
     * Measures one block on the calling thread.
     *
     * @param time to iterate, if that is enough for three iterations
     * @throws InvalidProblemException if the block cannot be opened
     */
    public static BlockMeasurement of(OpenedProblem problem, int id, Duration time) throws InvalidProblemException {
        long heapBefore = usedHeap();
        long begin = System.nanoTime();
        Block block = problem.model().block(problem.decomposition(), id, Resources.SINGLE);
        double openSeconds = (System.nanoTime() - begin) / 1e9;
        Halos halos = FixedHalos.initial(problem.model(), problem.decomposition(), id);
        List<Double> seconds = new ArrayList<>();
        long end = System.nanoTime() + time.toNanos();
        while (seconds.size() < LEAST_ITERATIONS || (seconds.size() < MOST_ITERATIONS && System.nanoTime() - end < 0)) {
            long start = System.nanoTime();
            double ignored = block.iterate(halos);
            seconds.add((System.nanoTime() - start) / 1e9);
        }
        long heap = usedHeap() - heapBefore;
        return new BlockMeasurement(
                openSeconds, medianOfLaterHalf(seconds), seconds.size(), Math.max(0, heap), block instanceof Sliced);
    }

    static double medianOfLaterHalf(List<Double> all) {
        List<Double> later =
                all.subList(all.size() / 2, all.size()).stream().sorted().toList();
        return later.get(later.size() / 2);
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** As a program prints it. */
    Properties properties() {
        Properties all = new Properties();
        all.setProperty("openSeconds", Double.toString(openSeconds));
        all.setProperty("iterationSeconds", Double.toString(iterationSeconds));
        all.setProperty("iterations", Integer.toString(iterations));
        all.setProperty("heapBytes", Long.toString(heapBytes));
        all.setProperty("isSliced", Boolean.toString(isSliced));
        return all;
    }
}
