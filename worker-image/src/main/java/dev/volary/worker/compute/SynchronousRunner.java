package dev.volary.worker.compute;

import dev.volary.mesh.OutgoingLink;
import dev.volary.mesh.TwoGenerationLink;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Synchronous scheme: iteration k reads exactly the halos of iteration k. Where values flow one way only, an empty halo flows
 * the other way, so that partners stay within one iteration of each other and two generations suffice.
 */
final class SynchronousRunner extends BlockRunner {
    private static final long RETRY_NANOS = Duration.ofMillis(200).toNanos();

    private final List<TwoGenerationLink> inlets;
    private final List<OutgoingLink> signals;
    private final HaloSet halos;
    private final boolean[] there;
    private long askAt = Long.MAX_VALUE;
    private boolean signalled;

    /**
     * @param inlets incoming edges in the order of the solver's halos, then empty ones of partners that only read
     * @param signals empty outgoing edges to partners that are only read
     */
    SynchronousRunner(
            Setup setup,
            List<TwoGenerationLink> inlets,
            List<OutgoingLink> signals,
            HaloSet halos,
            RunnerListener listener) {
        super(setup, listener);
        this.inlets = inlets;
        this.signals = signals;
        this.halos = halos;
        this.there = new boolean[inlets.size()];
    }

    @Override
    HaloSet halos() {
        return halos;
    }

    /** Lock-step begins anew with what all partners have committed. */
    @Override
    void stepBegun(HaloSet certified) {
        Arrays.fill(there, false);
        askAt = Long.MAX_VALUE;
        signalled = false;
    }

    @Override
    Turn advance() {
        if (!signalled) {
            signalled = true;
            signal(0);
        }
        if (!takeAll()) {
            return Turn.IDLE;
        }
        haloAges(halos);
        if (!iterate(halos, true)) {
            return Turn.DONE;
        }
        signal(inStep());
        Arrays.fill(there, false);
        askAt = Long.MAX_VALUE;
        return Turn.WORKED;
    }

    private boolean takeAll() {
        boolean all = true;
        for (int k = 0; k < there.length; k++) {
            if (!there[k] && inlets.get(k).take(step(), inStep())) {
                there[k] = true;
                if (k < halos.size()) {
                    halos.taken(k, inlets.get(k), completed());
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
                    listener().overdue(inlets.get(k).from(), id(), step(), inStep());
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
