// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.mesh.link.LockStepLink;
import dev.volary.mesh.link.OutgoingLink;
import dev.volary.protocol.convergence.ConvergenceTestSchedule;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Synchronous scheme: iteration k reads exactly the halos of iteration k. Where values flow one way only, an empty halo flows
 * the other way, so that partners stay within one iteration of each other and two generations suffice.
 */
public final class SynchronousRunner extends BlockRunner {
    private static final long RETRY_NANOS = Duration.ofMillis(200).toNanos();

    private final List<LockStepLink> incomingLinks;
    private final List<OutgoingLink> signals;
    private final LinkHalos halos;
    private final boolean[] there;
    private long askAt = Long.MAX_VALUE;
    private boolean signalled;
    private final double hintBound;
    private volatile @Nullable CheckpointRequest checkpoint;
    private volatile long asked = -1;
    private volatile long released = -1;
    private long reportedHeld = -1;
    private long nextTest;

    private record CheckpointRequest(int slot, long iteration) {}

    /**
     * @param incomingLinks incoming edges in the order of the solver's halos, then empty ones of partners that only read
     * @param signals empty outgoing edges to partners that are only read
     * @param hintBound a block passes a test if its hint is at most this
     */
    SynchronousRunner(
            RunnerConfig config,
            List<LockStepLink> incomingLinks,
            List<OutgoingLink> signals,
            LinkHalos halos,
            double hintBound,
            RunnerListener listener) {
        super(config, listener);
        this.hintBound = hintBound;
        this.incomingLinks = incomingLinks;
        this.signals = signals;
        this.halos = halos;
        this.there = new boolean[incomingLinks.size()];
    }

    @Override
    LinkHalos halos() {
        return halos;
    }

    /** Lock-step starts again with what all partners have committed. */
    @Override
    void stepBegun(LinkHalos certified) {
        Arrays.fill(there, false);
        askAt = Long.MAX_VALUE;
        signalled = false;
    }

    @Override
    Activity advance() {
        if (!signalled) {
            signalled = true;
            signal(iterationsInStep());
        }
        if (servesRequests() || !takeAll()) {
            return Activity.IDLE;
        }
        haloAges(halos);
        if (!iterate(halos, true)) {
            return Activity.DONE;
        }
        signal(iterationsInStep());
        Arrays.fill(there, false);
        askAt = Long.MAX_VALUE;
        return Activity.WORKED;
    }

    /** Asks for a copy of the state after exactly this iteration; from any thread. */
    public void checkpoint(int slot, long iteration) {
        checkpoint = new CheckpointRequest(slot, iteration);
        wakeForRequest();
    }

    /** Requests a report when the block has come to this iteration; from any thread. */
    public void test(long iteration) {
        asked = iteration;
        wakeForRequest();
    }

    /** Lets the block go on beyond the test after this iteration; from any thread. */
    public void release(long iteration) {
        released = Math.max(released, iteration); // the loop of the control messages is the only one that writes it
        wakeForRequest();
    }

    /** Carries out the requests at this boundary; returns whether the block waits at a test that it has passed. */
    private boolean servesRequests() {
        if (step() > 0) {
            return false; // a time-dependent block is not asked, and does not wait for an answer
        }
        long done = completed();
        CheckpointRequest wanted = checkpoint;
        if (wanted != null && done >= wanted.iteration) {
            checkpoint = null;
            long begun = System.nanoTime();
            Optional<BlockState> copy = done == wanted.iteration ? Optional.of(state()) : Optional.empty();
            listener().checkpointed(this, wanted.slot, wanted.iteration, copy, System.nanoTime() - begun);
        }
        if (nextTest < done) {
            nextTest = ConvergenceTestSchedule.next(done);
        }
        boolean passed = done == nextTest && hint() <= hintBound && done > released;
        if (passed && reportedHeld != done) {
            reportedHeld = done;
            listener().tested(this, done, true, false);
        }
        long question = asked;
        if (question >= 0 && done >= question) {
            asked = -1;
            listener().tested(this, question, passed && done == question, true);
        }
        return passed;
    }

    private boolean takeAll() {
        boolean all = true;
        for (int k = 0; k < there.length; k++) {
            if (!there[k] && incomingLinks.get(k).take(step(), iterationsInStep())) {
                there[k] = true;
                if (k < halos.size()) {
                    halos.taken(k, incomingLinks.get(k), completed());
                }
            }
            all &= there[k];
        }
        if (!all) {
            askForOverdue();
        }
        return all;
    }

    private void askForOverdue() {
        long now = System.nanoTime();
        if (askAt == Long.MAX_VALUE) {
            askAt = now + RETRY_NANOS;
        } else if (now - askAt >= 0) {
            askAt = now + RETRY_NANOS;
            for (int k = 0; k < there.length; k++) {
                if (!there[k]) {
                    listener().haloOverdue(incomingLinks.get(k).from(), id(), step(), iterationsInStep());
                }
            }
        }
    }

    private void signal(long iterations) {
        for (OutgoingLink link : signals) {
            link.begin();
            link.publish(incarnation(), step(), iterations, 0, true);
        }
    }
}
