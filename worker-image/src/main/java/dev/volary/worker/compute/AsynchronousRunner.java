// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.convergence.LocalConvergence;
import dev.volary.protocol.convergence.NearConvergence;
import dev.volary.protocol.halo.RoundSchedule;
import dev.volary.protocol.halo.StepRelation;
import dev.volary.solver.RedundantCoarseBlock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous scheme: the newest halos there are. A block whose method works in rounds waits for the halos of its round ({@link
 * RoundPacer}), and any other only once those in use have passed through it ({@link HaloWait}); both within limits.
 */
public final class AsynchronousRunner extends BlockRunner {
    private static final long FIRST_AGAIN_NANOS = Duration.ofMillis(20).toNanos();
    private static final long LAST_AGAIN_NANOS = Duration.ofMillis(200).toNanos();

    /** Share of the tolerance at which blocks rest where the verification tree must see them pass its periods before. */
    private static final double REST_WITH_TREE = 0.02;

    /** Where the state of a block comes from. */
    public enum Origin {
        /** The start of the job. */
        START,
        /** A replacement, from a copy of an earlier state. */
        COPY,
        /** A replacement, without one. */
        LOST
    }

    private final List<NewestWinsLink> incomingLinks;
    private final LinkHalos halos;
    private final OversolveGuard guard;
    private final HaloWait wait;
    private final double nearTolerance;
    private final FutureStepHalos futureHalos;
    private final NearConvergence near = new NearConvergence();
    private final Optional<LocalConvergence> period;
    private volatile int wantedPhase;
    private volatile @Nullable BlockState lateBackup;
    private volatile boolean isRefused;
    private boolean resting;
    private long reportAgainAt;
    private long reportPeriod;
    private final Optional<RoundPacer> rounds;

    /**
     * @param incomingLinks incoming edges, in the order of the solver's halos
     * @param isTreeVerified the verification tree is the detector, so pseudo-periods are watched
     * @param origin where the block's state comes from
     */
    AsynchronousRunner(
            RunnerConfig config,
            List<NewestWinsLink> incomingLinks,
            LinkHalos halos,
            double tolerance,
            boolean isTreeVerified,
            Origin origin,
            RunnerListener listener) {
        super(config, listener);
        this.period = isTreeVerified
                ? Optional.of(new LocalConvergence(
                        incomingLinks.size(), SnapshotConfig.of(tolerance).hintBound()))
                : Optional.empty();
        this.incomingLinks = incomingLinks;
        this.halos = halos;
        this.guard = new OversolveGuard(tolerance);
        this.wait = new HaloWait(HaloWait.depth(
                config.part().core().size(),
                incomingLinks.stream().mapToLong(NewestWinsLink::length).sum(),
                config.block().reach()));
        this.nearTolerance = tolerance;
        this.futureHalos = new FutureStepHalos(incomingLinks.size());
        this.rounds = config.block() instanceof RedundantCoarseBlock block
                ? Optional.of(pacer(block, tolerance, origin))
                : Optional.empty();
    }

    private RoundPacer pacer(RedundantCoarseBlock block, double tolerance, Origin origin) {
        if (step() > 0) {
            countStepFromHere();
        }
        int healing =
                switch (origin) {
                    case START -> 0;
                    case COPY -> block.healing(true);
                    case LOST -> block.healing(false);
                };
        return new RoundPacer(
                block,
                incomingLinks,
                halos,
                step(),
                iterationsInStep(),
                period.isPresent()
                        ? REST_WITH_TREE * tolerance
                        : SnapshotConfig.of(tolerance).inRounds().hintBound(),
                healing,
                origin == Origin.LOST,
                (edge, phase) -> period.ifPresent(watched -> watched.halo(edge, phase)),
                System::nanoTime);
    }

    @Override
    boolean publishesWhenOpened() {
        return rounds.isEmpty() || !rounds.get().isHealing();
    }

    @Override
    boolean isAtRest() {
        return rounds.isPresent() && rounds.get().isAtRest();
    }

    @Override
    void stepBegun(LinkHalos certified) {
        long now = System.nanoTime();
        for (int k = 0; k < halos.size(); k++) {
            halos.copied(k, certified.values(k), now, completed());
        }
        futureHalos.release(step(), halos);
        rounds.ifPresent(pacer -> pacer.stepBegun(step()));
        guard.refreshed();
        wait.refreshed(now);
        resting = false;
        near.beginStep();
    }

    @Override
    LinkHalos halos() {
        return halos;
    }

    /**
     * Offers a backup that was found after the block had started without it: the block adopts it in its next turn if it is better.
     * From any thread.
     */
    public void offer(BlockState backup) {
        lateBackup = backup;
        wakeForRequest();
    }

    /** A snapshot is over without a certificate: a block at rest goes on. From any thread. */
    public void notCertified() {
        isRefused = true;
        wakeForRequest();
    }

    private void adoptLateBackup() {
        BlockState backup = lateBackup;
        if (backup == null) {
            return;
        }
        lateBackup = null;
        boolean adopted = adopt(backup, rounds.isPresent());
        if (adopted) {
            guard.refreshed();
            wait.refreshed(System.nanoTime());
            resting = false;
            if (rounds.isPresent()) {
                rounds.get().heal();
            } else {
                publish(false);
            }
        }
        listener().backupArrivedLate(this, backup.iteration(), adopted);
    }

    @Override
    Activity advance() {
        adoptLateBackup();
        if (rounds.isPresent()) {
            return advanceInRounds(rounds.get());
        }
        boolean fresh = takeNewest();
        if (fresh) {
            guard.refreshed();
            wait.refreshed(System.nanoTime());
            resting = false;
            haloAges(halos);
        } else if (wait.isWaiting(System.nanoTime())
                || (guard.isSettled(hint()) && (!publishIfDue() || period.isEmpty()))) {
            return Activity.IDLE;
        }
        if (!iterate(halos, wait.isLast())) {
            return Activity.DONE;
        }
        wait.iterated(System.nanoTime());
        period.ifPresent(this::watch);
        guard.iterated(hint());
        if (near.iterated(hint(), nearTolerance)) {
            listener().nearlyConverged(this);
        }
        return Activity.WORKED;
    }

    private Activity advanceInRounds(RoundPacer pacer) {
        if (isRefused) {
            isRefused = false;
            pacer.notCertified();
        }
        RoundSchedule.Turn turn = pacer.next(iterationsInStep());
        if (pacer.hasSettled()) {
            listener().nearlyConverged(this);
        }
        switch (turn) {
            case HEAL -> {
                return heal(pacer);
            }
            case JOIN -> {
                join(pacer);
                return Activity.WORKED;
            }
            case WAIT -> {
                if (!pacer.isHealing() && pacer.isRepeatDue()) {
                    publish(true);
                }
                return Activity.IDLE;
            }
            case REST -> {
                boolean isDue = pacer.isRepeatDue();
                if (isDue) {
                    publish(true);
                }
                if (!isDue || period.isEmpty()) {
                    return Activity.IDLE;
                }
            }
            case ITERATE -> {}
        }
        boolean isComplete = pacer.isComplete();
        haloAges(halos);
        if (!iterate(halos, true)) {
            return Activity.DONE;
        }
        pacer.iterated(isComplete, iterationsInStep());
        period.ifPresent(this::watch);
        return Activity.WORKED;
    }

    private Activity heal(RoundPacer pacer) {
        pacer.restoreIfEmpty();
        if (!iterateSilently(halos)) {
            return Activity.DONE;
        }
        if (pacer.healed()) {
            join(pacer);
        }
        return Activity.WORKED;
    }

    private void join(RoundPacer pacer) {
        countInStepFrom(pacer.join(iterationsInStep()));
        publish(true);
    }

    /** Enters a phase of the verification tree at its next turn; from any thread. */
    public void enter(int phase) {
        wantedPhase = phase;
        wakeForRequest();
    }

    @Override
    int phase() {
        return period.map(LocalConvergence::phase).orElse(0);
    }

    private void watch(LocalConvergence watched) {
        int phase = watched.phase();
        watched.iterated(hint()).ifPresent(passed -> listener().phaseElapsed(this, phase, passed));
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
    private boolean publishIfDue() {
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
        for (int k = 0; k < incomingLinks.size(); k++) {
            NewestWinsLink incoming = incomingLinks.get(k);
            if (incoming.take() && (step() == 0 ? taken(k, incoming) : takenInStep(k, incoming))) {
                if (period.isPresent()) {
                    period.get().halo(k, incoming.coarseVersion());
                }
                fresh = true;
            } else {
                halos.stale(k);
            }
        }
        return fresh;
    }

    private boolean taken(int k, NewestWinsLink incoming) {
        halos.taken(k, incoming, completed());
        return true;
    }

    /** The link may hold values of another step next, so those in use are a copy. */
    private boolean takenInStep(int k, NewestWinsLink incoming) {
        switch (StepRelation.of(step(), incoming.step())) {
            case OWN -> {
                halos.copied(k, incoming.values(), incoming.arrivedNanos(), completed());
                return true;
            }
            case AHEAD -> futureHalos.keep(k, incoming.step(), incoming.values(), incoming.arrivedNanos());
            case BEHIND -> {}
        }
        return false;
    }
}
