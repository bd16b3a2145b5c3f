// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.convergence.LocalConvergence;
import dev.volary.protocol.halo.StepRelation;
import dev.volary.protocol.machine.Turn;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asynchronous scheme: the newest halos there are, never a wait. */
public final class AsynchronousRunner extends BlockRunner {
    private static final long FIRST_AGAIN_NANOS = Duration.ofMillis(20).toNanos();
    private static final long LAST_AGAIN_NANOS = Duration.ofMillis(200).toNanos();

    private final List<NewestWinsLink> inlets;
    private final LinkHalos halos;
    private final OversolveGuard guard;
    private final double calm;
    private final FutureStepHalos futureHalos;
    private boolean isCalmReported;
    private final Optional<LocalConvergence> period;
    private volatile int wantedPhase;
    private boolean resting;
    private long reportAgainAt;
    private long reportPeriod;

    /**
     * @param inlets incoming edges, in the order of the solver's halos
     * @param verified the verification tree is the detector, so pseudo-periods are watched
     */
    AsynchronousRunner(
            RunnerConfig setup,
            List<NewestWinsLink> inlets,
            LinkHalos halos,
            double tolerance,
            boolean verified,
            RunnerListener listener) {
        super(setup, listener);
        this.period = verified
                ? Optional.of(new LocalConvergence(
                        inlets.size(), SnapshotConfig.of(tolerance).hintBound()))
                : Optional.empty();
        this.inlets = inlets;
        this.halos = halos;
        this.guard = new OversolveGuard(tolerance);
        this.calm = tolerance;
        this.futureHalos = new FutureStepHalos(inlets.size());
    }

    @Override
    void stepBegun(LinkHalos certified) {
        long now = System.nanoTime();
        for (int k = 0; k < halos.size(); k++) {
            halos.copied(k, certified.values(k), now, completed());
        }
        futureHalos.release(step(), halos);
        guard.refreshed();
        resting = false;
        isCalmReported = false;
    }

    @Override
    LinkHalos halos() {
        return halos;
    }

    @Override
    Turn advance() {
        boolean fresh = takeNewest();
        if (fresh) {
            guard.refreshed();
            resting = false;
            haloAges(halos);
        } else if (guard.settled(hint()) && (!rest() || period.isEmpty())) {
            return Turn.IDLE;
        }
        if (!iterate(halos, false)) {
            return Turn.DONE;
        }
        period.ifPresent(this::watch);
        guard.iterated(hint());
        if (step() > 0 && !isCalmReported && hint() <= calm) {
            isCalmReported = true;
            listener().calm(this);
        }
        return Turn.WORKED;
    }

    /** Enters a phase of the verification tree at its next turn; from any thread. */
    public void enter(int phase) {
        wantedPhase = phase;
        requested();
    }

    @Override
    int phase() {
        return period.map(LocalConvergence::phase).orElse(0);
    }

    private void watch(LocalConvergence watched) {
        int phase = watched.phase();
        watched.iterated(hint()).ifPresent(passed -> listener().elapsed(this, phase, passed));
        if (wantedPhase > phase) {
            watched.enter(wantedPhase);
        }
    }

    /**
     * Publishes when it comes to rest, and again now and then: the network may lose what it said last, and a neighbor that
     * rests too would never ask. A pseudo-period waits for newer halos, so with the verification tree it iterates instead.
     *
     * @return whether it is time to speak
     */
    private boolean rest() {
        long now = System.nanoTime();
        if (!resting) {
            resting = true;
            reportPeriod = FIRST_AGAIN_NANOS;
        } else if (now - reportAgainAt < 0) {
            return false;
        } else {
            reportPeriod = period.isPresent() ? FIRST_AGAIN_NANOS : Math.min(2 * reportPeriod, LAST_AGAIN_NANOS);
        }
        reportAgainAt = now + reportPeriod;
        publish(false);
        return true;
    }

    private boolean takeNewest() {
        boolean fresh = false;
        for (int k = 0; k < inlets.size(); k++) {
            NewestWinsLink inlet = inlets.get(k);
            if (inlet.take() && (step() == 0 ? taken(k, inlet) : takenInStep(k, inlet))) {
                if (period.isPresent()) {
                    period.get().halo(k, inlet.coarseVersion());
                }
                fresh = true;
            } else {
                halos.stale(k);
            }
        }
        return fresh;
    }

    private boolean taken(int k, NewestWinsLink inlet) {
        halos.taken(k, inlet, completed());
        return true;
    }

    /** The link may hold values of another step next, so those in use are a copy. */
    private boolean takenInStep(int k, NewestWinsLink inlet) {
        switch (StepRelation.of(step(), inlet.step())) {
            case OWN -> {
                halos.copied(k, inlet.values(), inlet.arrivedNanos(), completed());
                return true;
            }
            case AHEAD -> futureHalos.keep(k, inlet.step(), inlet.values(), inlet.arrivedNanos());
            case BEHIND -> {}
        }
        return false;
    }
}
