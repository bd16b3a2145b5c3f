// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.backup.RestoreDecision;
import dev.volary.protocol.halo.LockStepHalos;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.CheckpointGeneration;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Scheme;
import dev.volary.simulator.scenario.FaultPlan;
import dev.volary.simulator.scenario.InjectedFault;
import dev.volary.solver.Block;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.RedundantCoarseBlock;
import dev.volary.solver.Resources;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** Opens the blocks of a simulated daemon: with start values, from a backup, or from a checkpoint generation. */
final class SimulatedBlockOpener {
    /** In lock-step, where all wait for it, a search is worth waiting for a store that was never open. */
    private static final long WARM_UP_NANOS = 20_000_000;

    private static final long SEARCH_NANOS = 60_000_000;
    private static final long SEARCH_TOGETHER_NANOS = 400_000_000;
    private static final long LATE_BACKUP_NANOS = 150_000_000;
    /** Longer than a daemon tries to read a committed step before the state counts as lost. */
    private static final long VERY_LATE_BACKUP_NANOS = 2_000_000_000L;

    /** Time in which a block is offered a backup that is known and left: to open a store, to meet the others, and to search again. */
    private static final long OFFERED_WITHIN_NANOS = 500_000_000;

    /** Until a daemon meets the holders, where it meets them late: longer than a search. */
    private static final long HOLDERS_MET_NANOS = 250_000_000;

    /** Longer than the patience of most rounds. */
    private static final long SLOW_REPLACEMENT_NANOS = 1_500_000_000L;

    private static final RestoreDecision.Patience PATIENCE = new RestoreDecision.Patience(
            Duration.ofMillis(60), Duration.ofMillis(20), Duration.ofMillis(100), Duration.ofSeconds(3));

    private final SimulatedDaemon daemon;
    private final SimulationState simulation;
    private final TreeMap<Integer, Incarnation> opening = new TreeMap<>();
    /** Blocks whose backups are found late, until then. */
    private final Map<Integer, Incarnation> searched = new HashMap<>();
    /** Checkpoint generations that were found for a block and are not chosen from yet. */
    private final Map<Integer, List<SimulatedBackups.Backup>> generations = new HashMap<>();

    SimulatedBlockOpener(SimulatedDaemon daemon) {
        this.daemon = daemon;
        this.simulation = daemon.simulation;
    }

    /** Whether the backup of a block is still searched for. */
    boolean isSearched(int block) {
        return searched.containsKey(block);
    }

    /** Blocks that are about to be open. */
    Set<Integer> opening() {
        return opening.keySet();
    }

    /** A standby looks for other stores until it finds one; then its warm-up is finished. */
    void warmUp() {
        if (simulation.scenario.faultPlan().stores().isEmpty()) {
            return;
        }
        if (simulation.scenario.defect() == InjectedFault.COLD_STORE && !simulation.oneStoreIsCold) {
            simulation.oneStoreIsCold = true;
            daemon.store.isolate();
        }
        daemon.later(WARM_UP_NANOS, () -> {
            if (!daemon.stopped && daemon.blocks.isEmpty() && opening.isEmpty()) {
                if (daemon.store.reachable().isEmpty()) {
                    warmUp();
                } else {
                    daemon.handle(new DaemonEvent.WarmupFinished());
                }
            }
        });
    }

    /** Opens a block for the first time, which takes a while. */
    void open(DaemonAction.OpenBlock action) {
        openLater(
                action.block(),
                action.incarnation(),
                0,
                () -> open(action.block(), action.incarnation(), Optional.empty(), false));
    }

    /** Opens a block that was open before, from its newest backup. A search for a known one opens the store, if there are any. */
    void restore(DaemonAction.RestoreBlock action) {
        if (action.known().isPresent()
                && simulation.scenario.faultPlan().stores().isPresent()) {
            daemon.store.open();
        }
        switch (simulation.scenario.defect()) {
            case LATE_HOLDERS -> {
                daemon.store.isolate(HOLDERS_MET_NANOS);
                restoreNewest(action);
            }
            case SLOW_HOLDERS -> searchSlowHolders(action);
            case LATE_BACKUPS -> restoreLate(action, LATE_BACKUP_NANOS);
            case LATE_BACKUPS_AND_PARTS -> restoreLate(action, VERY_LATE_BACKUP_NANOS);
            case SLOW_REPLACEMENT -> {
                opening.put(action.block(), action.incarnation());
                daemon.later(SLOW_REPLACEMENT_NANOS, () -> {
                    if (action.incarnation().equals(opening.get(action.block()))) {
                        restoreNewest(action);
                    }
                });
            }
            default -> restoreNewest(action);
        }
    }

    private RestoreDecision decision(DaemonAction.RestoreBlock action) {
        return new RestoreDecision(
                simulation.scenario.scheme(), action.known().isPresent(), PATIENCE, simulation.queue.now());
    }

    private void restoreNewest(DaemonAction.RestoreBlock action) {
        int id = action.block();
        RestoreDecision decision = decision(action);
        openLater(id, action.incarnation(), SEARCH_NANOS, () -> {
            Optional<SimulatedBackups.Backup> found = newest(id);
            RestoreDecision.Next next = decision.searched(found.isPresent());
            open(id, action.incarnation(), found, true);
            if (next == RestoreDecision.Next.START_WITHOUT) {
                expectLateBackup(action);
                searchAgain(id, action.incarnation(), decision);
            }
        });
    }

    /** Checks after a while that a block has got the backup that it started without. */
    private void expectLateBackup(DaemonAction.RestoreBlock action) {
        SimulatedBlock block = daemon.blocks.get(action.block());
        if (block == null || simulation.scenario.scheme() == Scheme.SYNCHRONOUS) {
            return;
        }
        block.lacksBackup = true;
        daemon.later(OFFERED_WITHIN_NANOS, () -> {
            if (block.lacksBackup && daemon.blocks.get(block.id) == block) {
                simulation.checker.backupMissed(action, simulation.holders.leftWithGroup(block.id));
            }
        });
    }

    /** This daemon has not found the known backup of a block, which has started without it. */
    private void searchAgain(int id, Incarnation incarnation, RestoreDecision decision) {
        OptionalLong again = decision.searchAgainAt(simulation.queue.now());
        if (again.isEmpty()) {
            return;
        }
        searched.put(id, incarnation);
        daemon.later(again.getAsLong() - simulation.queue.now(), () -> {
            if (!searched.remove(id, incarnation)) {
                return; // it was dropped
            }
            boolean isFound =
                    simulation.holders.newest(id, daemon.backups::canReach).isPresent();
            if (decision.searched(isFound) == RestoreDecision.Next.OFFER) {
                offer(id, incarnation);
            } else {
                searchAgain(id, incarnation, decision);
            }
        });
    }

    /** The search for the backup of a block outlasts its patience. */
    private void restoreLate(DaemonAction.RestoreBlock action, long foundAfter) {
        int id = action.block();
        Incarnation incarnation = action.incarnation();
        RestoreDecision decision = decision(action);
        opening.put(id, incarnation);
        searched.put(id, incarnation);
        decision.startAt()
                .ifPresent(at -> daemon.later(at - simulation.queue.now(), () -> {
                    if (decision.tick(simulation.queue.now()) == RestoreDecision.Next.START_WITHOUT
                            && opening.remove(id, incarnation)) {
                        openLater(id, incarnation, 0, () -> open(id, incarnation, Optional.empty(), true));
                    }
                }));
        daemon.later(foundAfter, () -> {
            searched.remove(id, incarnation);
            if (decision.searched(true) == RestoreDecision.Next.OFFER) {
                offer(id, incarnation);
            }
        });
    }

    /** Looks for the checkpoint generations of a block, from which the leader chooses one. */
    void findGenerations(DaemonAction.FindGenerations action) {
        int id = action.block();
        Incarnation incarnation = action.incarnation();
        opening.put(id, incarnation);
        long time = SimulatedBackupWriter.BACKUP_NANOS + simulation.random.nextLong(SimulatedBackupWriter.BACKUP_NANOS);
        daemon.later(
                time,
                () -> daemon.store.search(SEARCH_TOGETHER_NANOS, () -> {
                    if (opening.remove(id, incarnation)) {
                        List<SimulatedBackups.Backup> found =
                                simulation.holders.generations(id, daemon.backups::canReach);
                        generations.put(id, found);
                        daemon.handle(new DaemonEvent.GenerationsFound(
                                id,
                                incarnation,
                                found.stream().map(SimulatedBackups::generation).toList()));
                    }
                }));
    }

    /** Opens a block from the checkpoint generation that the leader has chosen. */
    void resume(DaemonAction.ResumeBlock action) {
        openLater(action.block(), action.incarnation(), 0, () -> openFromGeneration(action));
    }

    /** Drops a block, be it open or about to be. */
    void drop(DaemonAction.DropBlock action) {
        opening.remove(action.block(), action.incarnation());
        searched.remove(action.block(), action.incarnation());
        generations.remove(action.block());
        SimulatedBlock block = daemon.blocks.get(action.block());
        if (block != null && block.incarnation.equals(action.incarnation())) {
            daemon.blocks.remove(action.block());
            if (action.leavesBackup()) {
                daemon.backups.leave(block);
            }
            simulation.faultInjector().drops(daemon, block.id);
        }
    }

    // ---- where a block's state comes from --------------------------------------------------------------------------

    /** Opens a block, which takes a while, after looking for its backup for at most {@code patience}. */
    private void openLater(int id, Incarnation incarnation, long patience, Runnable open) {
        opening.put(id, incarnation);
        long time = (long) (simulation.timing.opening() * (0.5 + simulation.random.nextDouble()));
        daemon.later(
                time,
                () -> daemon.store.search(patience, () -> {
                    if (opening.remove(id, incarnation)) {
                        open.run();
                    }
                }));
    }

    private void searchSlowHolders(DaemonAction.RestoreBlock action) {
        opening.put(action.block(), action.incarnation());
        var _ = new DelayedBackupSearch(daemon, action, found -> {
            if (opening.remove(action.block(), action.incarnation())) {
                simulation.checker.backupSearched(
                        action,
                        found.map(SimulatedBackups.Backup::key),
                        simulation.holders.leftWithGroup(action.block()));
                open(action.block(), action.incarnation(), found, true);
            }
        });
    }

    /** The newest backup, else the checkpoint on the volume. */
    private Optional<SimulatedBackups.Backup> newest(int block) {
        Optional<SimulatedBackups.Backup> state = simulation.scenario.defect() == InjectedFault.OLD_BACKUPS
                ? simulation.holders.oldest(block, daemon.backups::canReach)
                : simulation.holders.newest(block, daemon.backups::canReach).or(() -> simulation.volume.state(block));
        simulation.faultInjector().opens(block, state.isPresent());
        return state;
    }

    private void openFromGeneration(DaemonAction.ResumeBlock action) {
        List<SimulatedBackups.Backup> found = generations.getOrDefault(action.block(), List.of());
        generations.remove(action.block());
        if (action.from().isEmpty()) {
            open(action.block(), action.incarnation(), simulation.volume.state(action.block()), true);
            return;
        }
        CheckpointGeneration chosen = action.from().get();
        Optional<SimulatedBackups.Backup> state = found.stream()
                .filter(backup -> SimulatedBackups.generation(backup).equals(chosen))
                .findFirst();
        if (state.isEmpty()) {
            simulation.checker.violated(
                    "block " + action.block() + " shall go back to " + chosen + ", which it does not hold");
        }
        open(action.block(), action.incarnation(), state, true);
    }

    /** A block that started without its backup gets it at its next boundary. */
    private void offer(int id, Incarnation incarnation) {
        SimulatedBlock block = daemon.blocks.get(id);
        if (block == null || !block.incarnation.equals(incarnation)) {
            return;
        }
        block.lacksBackup = false;
        block.lateBackup = Optional.of(() -> adopt(block));
        if (!block.computing) {
            adopt(block);
        }
    }

    /** The block continues from its backup, if that is better. */
    private void adopt(SimulatedBlock block) {
        block.lateBackup = Optional.empty();
        Optional<SimulatedBackups.Backup> backup = simulation.holders.newest(block.id, daemon.backups::canReach);
        int step = block.step();
        if (backup.filter(block::adopt).isEmpty()) {
            return;
        }
        simulation.checker.blockRestored(
                block.id, backup.get().key().incarnation(), backup.get().core());
        if (block.step() > step) {
            daemon.commits.begun(block, true);
        } else {
            block.rounds.ifPresent(rounds -> rounds.heal(daemon.now()));
        }
    }

    // ---- opening it ------------------------------------------------------------------------------------------------

    private void open(int id, Incarnation incarnation, Optional<SimulatedBackups.Backup> state, boolean again) {
        if (failsAsInjected(id, incarnation)) {
            return;
        }
        Block opened;
        try {
            opened = simulation.problem.model().block(simulation.decomposition, id, Resources.SINGLE);
        } catch (InvalidProblemException refused) {
            daemon.handle(new DaemonEvent.BlockFailed(id, incarnation, "block " + id + ": " + refused.getMessage()));
            return;
        }
        Optional<Long> savedIteration = state.map(backup -> backup.key().iteration());
        SimulatedBlock block = create(id, incarnation, opened, savedIteration);
        boolean idle = daemon.blocks.keySet().stream().allMatch(other -> other == id);
        simulation.statistics.opened(id, daemon.member.id(), again, savedIteration, idle);
        daemon.blocks.put(id, block);
        state.ifPresent(backup -> restore(block, backup));
        if (opened instanceof RedundantCoarseBlock method && simulation.scenario.scheme() == Scheme.ASYNCHRONOUS) {
            block.rounds = Optional.of(rounds(block, method, again, state.isPresent()));
        }
        connect(block);
        OptionalLong from = savedIteration
                .map(OptionalLong::of)
                .orElse(block.rounds.isPresent() ? OptionalLong.of(0) : OptionalLong.empty());
        if (again) {
            simulation.checker.blockReopened(id, from);
        }
        int step = block.step();
        daemon.handle(
                again
                        ? new DaemonEvent.BlockRestored(id, incarnation, from, step)
                        : new DaemonEvent.BlockOpened(id, incarnation, step));
    }

    /** Whether a fault is injected into the opening of this block: its daemon dies of it, or it cannot be opened. */
    private boolean failsAsInjected(int id, Incarnation incarnation) {
        if (id != simulation.victim) {
            return false;
        }
        FaultPlan.FaultKind faultPlan = simulation.scenario.faultPlan().kind();
        if (faultPlan == FaultPlan.FaultKind.POISON) {
            dieOf(id, incarnation);
            return true;
        }
        if (faultPlan == FaultPlan.FaultKind.PICKY && simulation.refusals++ < 2) {
            daemon.handle(
                    new DaemonEvent.BlockFailed(id, incarnation, "block " + id + ": out of memory; use more blocks"));
            return true;
        }
        if (simulation.scenario.defect() == InjectedFault.CANNOT_OPEN) {
            daemon.handle(new DaemonEvent.BlockFailed(
                    id, incarnation, "block " + id + ": file A.mtx is missing; restore it"));
            return true;
        }
        return false;
    }

    private void dieOf(int id, Incarnation incarnation) {
        // It reports the iteration of its backup, which is no iteration of its own.
        long behind = simulation
                .holders
                .newest(id)
                .map(backup -> backup.key().iteration())
                .orElse(0L);
        daemon.handle(new DaemonEvent.ProgressSampled(
                List.of(new ProgressMessage.BlockProgress(
                        id, incarnation, behind, behind, Double.POSITIVE_INFINITY, 0, 0)),
                Set.of()));
        simulation.faultInjector().kill(daemon);
    }

    private SimulatedBlock create(int id, Incarnation incarnation, Block opened, Optional<Long> savedIteration) {
        List<Edge> incoming = simulation.decomposition.incoming(id);
        long iteration = simulation.scenario.rollsBack() ? savedIteration.orElse(0L) : 0;
        SimulatedBlock block = new SimulatedBlock(
                id,
                incarnation,
                opened,
                incoming,
                simulation.decomposition.parts().get(id).core().size(),
                new LockStepHalos(incoming.size(), SimulatedHalos.RETRY, iteration, daemon.now()),
                daemon.iterations.hintBound());
        for (int k = 0; k < incoming.size(); k++) {
            simulation.problem.model().initialHalo(incoming.get(k), block.newest[k]);
        }
        return block;
    }

    private SimulatedRounds rounds(SimulatedBlock block, RedundantCoarseBlock method, boolean again, boolean hasState) {
        SimulatedRounds.Origin origin = hasState
                ? SimulatedRounds.Origin.BACKUP
                : again ? SimulatedRounds.Origin.LOST : SimulatedRounds.Origin.START;
        double tolerance = simulation.problem.absolute(simulation.scenario.tolerance());
        return new SimulatedRounds(block, method, origin, tolerance, simulation.checker.rounds(), daemon.now());
    }

    private void restore(SimulatedBlock block, SimulatedBackups.Backup backup) {
        boolean countsOn =
                simulation.scenario.rollsBack() || (block.step() == 0 && block.block instanceof RedundantCoarseBlock);
        block.restore(backup, countsOn);
        simulation.checker.blockRestored(block.id, backup.key().incarnation(), backup.core());
    }

    /** Exchanges halos with the blocks of the same daemon. */
    private void connect(SimulatedBlock block) {
        for (Edge edge : block.incoming) {
            BlockAssignment entry = daemon.halos.routes.get(edge.from());
            if (entry != null) {
                block.orders[block.edgeFrom(edge.from())].raise(entry.incarnation());
            }
            if (daemon.serves(edge.from())) {
                daemon.halos.publish(edge.from(), block.id, daemon.served(edge.from()).iteration);
            }
        }
        for (Edge edge : simulation.outgoing(block.id)) {
            if (daemon.serves(edge.to())) {
                daemon.halos.publish(block.id, edge.to(), block.iteration);
            }
        }
    }
}
