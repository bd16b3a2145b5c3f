// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Halos;
import dev.volary.solver.Residual;
import dev.volary.solver.Sliced;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class SliceWorkersTest {

    @Test
    void everySliceRunsOncePerIteration() {
        Counting block = new Counting(7);
        try (SliceWorkers workers = new SliceWorkers(block, 3)) {
            for (int i = 1; i <= 5_000; i++) {
                assertEquals(i, workers.iterate(new LinkHalos(List.of(), 0)));
            }
        }
        for (int slice = 0; slice < 7; slice++) {
            assertEquals(5_000, block.runs.get(slice));
        }
        assertTrue(block.threads.size() >= 2, "all slices ran on one thread");
    }

    @Test
    void aSliceThatFailsFailsTheIteration() {
        Counting block = new Counting(4) {
            @Override
            public void slice(int index, Halos newest) {
                throw new IllegalStateException("slice " + index);
            }
        };
        try (SliceWorkers workers = new SliceWorkers(block, 2)) {
            assertThrows(IllegalStateException.class, () -> workers.iterate(new LinkHalos(List.of(), 0)));
        }
    }

    private static class Counting implements Sliced {
        final AtomicIntegerArray runs;
        final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        private int finished;

        Counting(int slices) {
            runs = new AtomicIntegerArray(slices);
        }

        @Override
        public int slices() {
            return runs.length();
        }

        @Override
        public void slice(int index, Halos newest) {
            runs.incrementAndGet(index);
            threads.add(Thread.currentThread());
        }

        @Override
        public double finish(Halos newest) {
            finished++;
            for (int i = 0; i < runs.length(); i++) {
                if (runs.get(i) != finished) {
                    throw new IllegalStateException("slice " + i + " ran " + runs.get(i) + " times, not " + finished);
                }
            }
            return finished;
        }

        @Override
        public void copyCore(double[] target) {}

        @Override
        public void setCore(double[] core, Halos halos) {}

        @Override
        public Residual residual(double[] core, Halos recorded) {
            return Residual.ZERO;
        }
    }
}
