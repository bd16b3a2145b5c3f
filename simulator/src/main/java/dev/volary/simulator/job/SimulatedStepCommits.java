// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.halo.LockStepHalos;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.simulator.scenario.InjectedFault;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** A simulated daemon commits time steps. */
final class SimulatedStepCommits {
    private static final int BROKEN_FETCHES = 3;

    private record Fetch(int block, int step) {}

    private final SimulatedDaemon daemon;
    private final Map<Fetch, Integer> broken = new HashMap<>();

    SimulatedStepCommits(SimulatedDaemon daemon) {
        this.daemon = daemon;
    }

    /** Fetches the certified values, from the records here or from the sink, and commits at the next boundary. */
    void commit(DaemonAction.CommitStep action) {
        SimulatedBlock block = daemon.served(action.block());
        CommittedStep record = action.record();
        Map<Integer, double[]> here = new HashMap<>();
        daemon.blocks
                .values()
                .forEach(own -> record.part(own.id)
                        .filter(part -> part.part().equals(own.recorded))
                        .ifPresent(part -> here.put(own.id, Objects.requireNonNull(own.record))));
        daemon.simulation.faultInjector().inCommit(daemon);
        long wait = here.containsKey(action.block())
                ? 0
                : daemon.simulation.random.nextLong(SimulatedSnapshots.STORE_NANOS);
        daemon.later(wait, () -> {
            Function<Integer, Optional<double[]>> core = id -> Optional.ofNullable(here.get(id))
                    .or(() -> record.part(id).flatMap(part -> daemon.simulation.sink.find(record.sid(), part.part())));
            Optional<double[]> values = core.apply(action.block());
            Optional<double[][]> halos = daemon.simulation.halosOf(action.block(), core);
            if (values.isEmpty() || halos.isEmpty() || isOutOfReach(action.block()) || breaksOff(action)) {
                daemon.handle(new DaemonEvent.StepCommitFailed(
                        action.block(),
                        action.incarnation(),
                        record.step(),
                        daemon.opener.isSearched(action.block()),
                        "the sink does not have it"));
            } else {
                block.commit = Optional.of(() -> commitNow(block, record, values.get(), halos.get()));
                if (!block.computing) {
                    block.commit.ifPresent(Runnable::run);
                }
            }
        });
    }

    /** The first fetches of each commit break off. */
    private boolean breaksOff(DaemonAction.CommitStep action) {
        return daemon.simulation.scenario.defect() == InjectedFault.FETCHES_IN_PIECES
                && broken.merge(new Fetch(action.block(), action.record().step()), 1, Integer::sum) <= BROKEN_FETCHES;
    }

    private boolean isOutOfReach(int block) {
        return daemon.simulation.scenario.defect() == InjectedFault.LATE_BACKUPS_AND_PARTS
                && daemon.opener.isSearched(block);
    }

    private void commitNow(SimulatedBlock block, CommittedStep record, double[] values, double[][] halos) {
        block.commit = Optional.empty();
        if (daemon.stopped || daemon.blocks.get(block.id) != block || block.step() > record.step()) {
            return;
        }
        LockStepHalos lockStep = new LockStepHalos(block.incoming.size(), SimulatedHalos.RETRY, daemon.now());
        block.commit(record.step(), values, halos, lockStep);
        daemon.simulation.checker.stepCommitted(record, block.id, block.core());
        begun(block, false);
    }

    /**
     * A block begins a step: it takes the halos that have waited for it, and publishes its own.
     *
     * @param isAdopted the step is that of a backup which was found late
     */
    void begun(SimulatedBlock block, boolean isAdopted) {
        block.rounds.ifPresent(rounds -> rounds.stepBegun(daemon.now()));
        block.rounds.filter(rounds -> isAdopted).ifPresent(rounds -> rounds.heal(daemon.now()));
        for (int k = 0; k < block.ahead.length; k++) {
            Halo halo = block.ahead[k];
            block.ahead[k] = null;
            if (halo != null) {
                daemon.halos.take(block, k, halo);
            }
        }
        daemon.halos.publish(block);
        daemon.simulation.faultInjector().inCommit(daemon);
        daemon.handle(new DaemonEvent.StepCommitted(block.id, block.incarnation, block.step()));
        if (daemon.blocks.get(block.id) == block) {
            daemon.iterations.next(block);
        }
    }
}
