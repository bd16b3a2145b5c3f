// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.protocol.model.Scheme;
import dev.volary.protocol.model.WorkerId;
import dev.volary.solver.InvalidProblemException;
import dev.volary.worker.compute.BlockState;
import dev.volary.worker.compute.WarmupIteration;
import dev.volary.worker.runtime.OpenedProblem;
import dev.volary.worker.runtime.StageTracer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Warms up a standby once while it waits. */
final class StandbyWarmup {
    /** An iteration may take long, and a block that has lost its daemon does not wait for it. */
    private static final long END_MILLIS = 50;

    /** The first search of a process takes several times as long as later ones, as does the first large message of a connection. */
    private static final int SEARCHES = 2;

    private static final long SEARCH_MILLIS = 250;

    private final WarmupIteration iteration;
    private final BlockBackups backups;
    private final Scheme scheme;
    private final Runnable onFound;
    private final int blocks;
    private final int block;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    /**
     * Begins at once.
     *
     * @param self this worker; determines the block to compute
     * @param backups where blocks are looked for, as a standby will have to
     * @param scheme which kind of copies there are
     * @param onFound called when enough blocks were found
     */
    StandbyWarmup(OpenedProblem problem, WorkerId self, BlockBackups backups, Scheme scheme, Runnable onFound) {
        this.backups = backups;
        this.scheme = scheme;
        this.onFound = onFound;
        this.blocks = problem.decomposition().blocks();
        this.block = Math.floorMod(Long.hashCode(self.value()), blocks);
        this.iteration =
                new WarmupIteration(problem.model(), problem.decomposition(), block, StandbyWarmup::encodeAndDecode);
        this.thread = Thread.ofPlatform().daemon().name("warm-up").start(this::warmUp);
    }

    private void warmUp() {
        try {
            compile();
            if (search()) {
                StageTracer.mark("warm");
                onFound.run();
            }
        } catch (RuntimeException e) {
            System.err.println("this standby failed to look for backups: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** If this fails, the standby can still take a block over, more slowly. */
    private void compile() {
        try {
            iteration.run();
        } catch (InvalidProblemException | RuntimeException e) {
            System.err.println("this standby failed to compute a block in advance: " + e);
        }
    }

    /** Reads blocks from their holders, and does nothing with them; returns whether enough were found. */
    private boolean search() throws InterruptedException {
        int found = 0;
        for (int next = block; found < SEARCHES && !over.await(SEARCH_MILLIS, TimeUnit.MILLISECONDS); next++) {
            if (backups.hasReachableHolder() && isThere(next % blocks)) {
                found++;
            }
        }
        return found == SEARCHES;
    }

    private boolean isThere(int one) {
        return switch (scheme) {
            case ASYNCHRONOUS -> backups.newest(one, Optional.empty()).join().isPresent();
            case SYNCHRONOUS -> !backups.generations(one).join().isEmpty();
        };
    }

    /** A block is to be opened: the iteration is over, and its block makes room. */
    void end() {
        over.countDown();
        iteration.end();
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void encodeAndDecode(BlockState state) {
        try {
            BlockState ignored = BlockStateCodec.read(BlockStateCodec.write(state));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
