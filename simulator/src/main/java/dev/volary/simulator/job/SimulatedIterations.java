// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.convergence.ConvergenceTestSchedule;
import dev.volary.protocol.halo.LockStepHalos;
import dev.volary.protocol.halo.RoundSchedule;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.model.Scheme;
import dev.volary.simulator.scenario.InjectedFault;
import dev.volary.solver.StalledIterationException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Iterates the blocks of a simulated daemon, each on its own compute thread: starts an iteration once its halos are there, and
 * does between two iterations what the daemon's machine has asked for.
 */
final class SimulatedIterations {
    private static final long NAN_ITERATION = 30;
    /** After which a block that waits for a round, or rests, looks again. */
    private static final long LOOK_AGAIN_NANOS = Duration.ofMillis(5).toNanos();

    private static final long LATEST_WAKEUP_NANOS = Duration.ofMillis(10).toNanos();

    private final SimulatedDaemon daemon;
    private final SimulationState simulation;
    /** How much longer than usual an iteration takes on this machine. */
    private final double slowness;

    SimulatedIterations(SimulatedDaemon daemon, double slowness) {
        this.daemon = daemon;
        this.simulation = daemon.simulation;
        this.slowness = slowness;
    }

    /** The residual hint up to which a block may have converged. */
    double hintBound() {
        return SnapshotConfig.of(tolerance()).hintBound();
    }

    private double tolerance() {
        return simulation.problem.absolute(simulation.scenario.tolerance());
    }

    /** Lets a block iterate from now on. */
    void start(DaemonAction.StartBlock action) {
        SimulatedBlock block = daemon.served(action.block());
        block.iterating = true;
        next(block);
    }

    /** Begins a phase of the verification tree. */
    void beginPhase(DaemonAction.BeginPhase action) {
        SimulatedBlock block = daemon.blocks.get(action.block());
        if (block != null && block.incarnation.equals(action.incarnation())) {
            block.period.enter(action.phase());
        }
    }

    /** Answers whether a block passes the convergence test of an iteration, once it has completed that iteration. */
    void test(DaemonAction.TestStep action) {
        SimulatedBlock block = daemon.blocks.get(action.block());
        if (block != null && block.incarnation.equals(action.incarnation())) {
            block.asked = action.iteration();
            if (!block.computing) {
                answerTest(block);
            }
        }
    }

    /** Lets a block iterate beyond a convergence test that it has passed. */
    void release(DaemonAction.ReleaseBlock action) {
        SimulatedBlock block = daemon.served(action.block());
        block.released = Math.max(block.released, action.iteration());
        next(block);
    }

    /** A halo wakes the compute thread of a block. In rounds, where blocks wait for halos, it gets a processor late now and then. */
    void wake(SimulatedBlock block) {
        if (block.rounds.isPresent() && simulation.random.nextDouble() < simulation.timing.lateWakeups()) {
            daemon.later((long) (LATEST_WAKEUP_NANOS * simulation.random.nextDouble()), () -> next(block));
        } else {
            next(block);
        }
    }

    /** Starts the next iteration, if its halos are there. */
    void next(SimulatedBlock block) {
        boolean lockStep = simulation.scenario.scheme() == Scheme.SYNCHRONOUS;
        if (daemon.stopped
                || block.computing
                || !block.iterating
                || daemon.blocks.get(block.id) != block
                || waitsAtTest(block)) {
            return;
        }
        if (lockStep && !block.lockStep.isReady()) {
            awaitHalos(block);
            return;
        }
        if (block.rounds.isPresent()) {
            advance(block, block.rounds.get());
            return;
        }
        compute(block, lockStep, halos -> complete(block, halos, false));
    }

    private void compute(SimulatedBlock block, boolean lockStep, Consumer<double[][]> then) {
        block.computing = true;
        double[][] halos = new double[block.incoming.size()][];
        for (int k = 0; k < halos.length; k++) {
            if (block.sentIn[k] >= 0) {
                block.period.halo(k, block.sentIn[k]);
                block.sentIn[k] = -1;
            }
            halos[k] = lockStep ? block.slots[k][LockStepHalos.slot(block.iteration)] : block.newest[k];
        }
        double updates = simulation.decomposition.parts().get(block.id).work();
        double time = simulation.timing.iteration(updates) * slowness * (0.9 + 0.2 * simulation.random.nextDouble());
        daemon.later((long) time, () -> then.accept(halos));
    }

    /** The turn of a block that works in rounds. */
    private void advance(SimulatedBlock block, SimulatedRounds rounds) {
        RoundSchedule.Turn turn = rounds.next(daemon.now());
        if (rounds.hasSettled()) {
            daemon.sampleSoon();
        }
        switch (turn) {
            case WAIT, REST -> {
                if (!rounds.isHealing() && rounds.isRepeatDue(daemon.now())) {
                    daemon.halos.publish(block);
                }
                lookAgain(block, rounds);
            }
            case JOIN -> {
                join(block, rounds);
                next(block);
            }
            case HEAL -> compute(block, false, halos -> heal(block, rounds, halos));
            case ITERATE -> {
                boolean isComplete = rounds.isComplete();
                rounds.begins(daemon.now());
                compute(block, false, halos -> complete(block, halos, isComplete));
            }
        }
    }

    private void lookAgain(SimulatedBlock block, SimulatedRounds rounds) {
        if (!rounds.isAwake) {
            rounds.isAwake = true;
            daemon.later(LOOK_AGAIN_NANOS, () -> {
                rounds.isAwake = false;
                next(block);
            });
        }
    }

    private void join(SimulatedBlock block, SimulatedRounds rounds) {
        rounds.join(daemon.now());
        daemon.halos.publish(block);
    }

    /** An iteration that others see nothing of is done. */
    private void heal(SimulatedBlock block, SimulatedRounds rounds, double[][] halos) {
        block.computing = false;
        if (daemon.stopped || daemon.blocks.get(block.id) != block) {
            return;
        }
        rounds.restoreIfEmpty();
        block.hint = block.block.iterate(block.forIteration(halos));
        if (rounds.healed(daemon.now())) {
            join(block, rounds);
        }
        afterIteration(block);
        next(block);
    }

    private void awaitHalos(SimulatedBlock block) {
        long wanted = block.iteration;
        int step = block.step();
        daemon.later(block.lockStep.wakeUp() - daemon.now(), () -> {
            if (block.iteration == wanted && block.step() == step && !block.computing && !daemon.stopped) {
                for (int edge : block.lockStep.overdue(daemon.now())) {
                    daemon.handle(
                            new DaemonEvent.HaloOverdue(block.incoming.get(edge).from(), block.id, step, wanted));
                }
                if (!block.lockStep.isReady()) {
                    awaitHalos(block);
                }
            }
        });
    }

    private void complete(SimulatedBlock block, double[][] halos, boolean isComplete) {
        block.computing = false;
        if (daemon.stopped || daemon.blocks.get(block.id) != block) {
            return;
        }
        try {
            block.hint = block.block.iterate(block.forIteration(halos));
        } catch (StalledIterationException stalled) {
            fail(block, "stalls in iteration " + (block.iteration + 1) + ": " + stalled.getMessage());
            return;
        }
        block.iteration++;
        block.rounds.ifPresent(rounds -> rounds.iterated(isComplete, daemon.now()));
        passToVerificationTree(block);
        simulation.checker.blockIterated(
                block.id, block.incarnation, block.completed(), daemon.member, simulation.queue.now());
        simulation.statistics.iterated(block.id, block.completed(), simulation.queue.now());
        if (isBroken(block)) {
            fail(block, "computed NaN in iteration " + block.iteration + "; check the data");
            return;
        }
        if (simulation.scenario.scheme() == Scheme.SYNCHRONOUS) {
            block.lockStep.advance(daemon.now());
            block.keep();
        }
        daemon.halos.publish(block);
        reportSoon(block);
        afterIteration(block);
        next(block);
    }

    /** Others wait for the report of a first iteration, and of a block that is nearly done. */
    private void reportSoon(SimulatedBlock block) {
        boolean isNear = block.rounds.isEmpty()
                && simulation.scenario.scheme() == Scheme.ASYNCHRONOUS
                && block.near.iterated(block.hint, tolerance());
        if (isNear || !block.isFirstIterationReported) {
            daemon.sampleSoon();
        }
        block.isFirstIterationReported = true;
    }

    private void fail(SimulatedBlock block, String reason) {
        block.iterating = false;
        daemon.handle(new DaemonEvent.BlockFailed(block.id, block.incarnation, "block " + block.id + " " + reason));
    }

    /** What was asked for while the block computed. */
    private void afterIteration(SimulatedBlock block) {
        if (block.wanted > block.recordedSid) {
            daemon.snapshots.record(block);
        }
        block.backUp.ifPresent(action -> daemon.backups.backUp(block, action));
        block.commit.ifPresent(Runnable::run);
        block.lateBackup.ifPresent(Runnable::run);
        if (waitsAtTest(block)) {
            daemon.soon(new DaemonEvent.StepTested(block.id, block.incarnation, block.iteration, true, false));
        }
        daemon.backups.checkpoint(block);
        answerTest(block);
    }

    private boolean isBroken(SimulatedBlock block) {
        boolean broken = simulation.scenario.defect() == InjectedFault.NAN_IN_ITERATION
                && block.id == simulation.victim
                && block.iteration == NAN_ITERATION;
        return broken || !Double.isFinite(block.hint);
    }

    private void passToVerificationTree(SimulatedBlock block) {
        if (simulation.scenario.tree()) {
            int phase = block.period.phase();
            block.period
                    .iterated(block.hint)
                    .ifPresent(passed ->
                            daemon.soon(new DaemonEvent.PhaseElapsed(block.id, block.incarnation, phase, passed)));
        }
    }

    /** Whether a block waits at a convergence test that it has passed. */
    private boolean waitsAtTest(SimulatedBlock block) {
        return simulation.scenario.rollsBack()
                && block.iteration > block.released
                && ConvergenceTestSchedule.next(block.iteration) == block.iteration
                && block.hint <= hintBound();
    }

    private void answerTest(SimulatedBlock block) {
        if (block.asked >= 0 && block.iteration >= block.asked) {
            long asked = block.asked;
            block.asked = -1;
            boolean passed = block.iteration == asked && waitsAtTest(block);
            daemon.soon(new DaemonEvent.StepTested(block.id, block.incarnation, asked, passed, true));
        }
    }
}
