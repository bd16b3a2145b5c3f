// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.solver.Halos;
import dev.volary.solver.Sliced;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Several threads for one block: the block's own compute thread and helpers take slices of an iteration until none is left.
 * Helpers spin briefly between iterations, then park.
 */
public final class SliceWorkers implements AutoCloseable {
    private static final int SPINS = 2_000;

    private final Sliced block;
    private final List<Thread> helpers = new ArrayList<>();
    private final AtomicInteger nextSlice = new AtomicInteger();
    private final AtomicInteger resting = new AtomicInteger();
    private final AtomicInteger round = new AtomicInteger();
    private volatile boolean closed;
    private volatile @Nullable Throwable broken;
    private Halos halos = Empty.NONE;

    /** Halos before the first iteration. */
    private enum Empty implements Halos {
        NONE;

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

    /**
     * @param threads all threads, the compute thread included
     */
    SliceWorkers(Sliced block, int threads) {
        this.block = block;
        nextSlice.set(block.slices());
        for (int i = 1; i < threads; i++) {
            Thread helper = Thread.ofPlatform().daemon().name("slice-" + i).unstarted(this::help);
            helpers.add(helper);
            helper.start();
        }
    }

    /** One iteration; called by the compute thread. */
    @SuppressWarnings("ThreadPriorityCheck") // helpers may have lost their core to another process: let them have ours
    double iterate(Halos newest) {
        halos = newest;
        resting.set(0);
        nextSlice.set(0);
        round.incrementAndGet(); // publishes halos and slices to the helpers
        for (Thread helper : helpers) {
            LockSupport.unpark(helper);
        }
        work();
        for (int spins = 0; resting.get() < helpers.size(); spins++) {
            if (spins > SPINS) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
        Throwable failure = broken;
        if (failure != null) {
            throw new IllegalStateException("a slice failed", failure);
        }
        return block.finish(newest);
    }

    private void work() {
        int slices = block.slices();
        for (int slice = nextSlice.getAndIncrement(); slice < slices; slice = nextSlice.getAndIncrement()) {
            block.slice(slice, halos);
        }
    }

    private void help() {
        int seen = 0;
        while (!closed) {
            for (int spins = 0; round.get() == seen && !closed; spins++) {
                if (spins > SPINS) {
                    LockSupport.park(this);
                } else {
                    Thread.onSpinWait();
                }
            }
            if (round.get() != seen) {
                seen++;
                try {
                    work();
                } catch (RuntimeException | Error e) {
                    broken = e;
                }
                resting.incrementAndGet();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        helpers.forEach(LockSupport::unpark);
    }
}
