// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.convergence.ConvergenceTestSchedule;
import dev.volary.protocol.daemon.DaemonMachine;
import dev.volary.protocol.halo.LockStepHalos;
import dev.volary.protocol.halo.RoundGate;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.ToDaemon;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.Scheme;
import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.scenario.FaultPlan;
import dev.volary.simulator.scenario.InjectedFault;
import dev.volary.simulator.scenario.SimulationConfig;
import dev.volary.solver.Block;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.RedundantCoarseBlock;
import dev.volary.solver.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A daemon process: real blocks that iterate in virtual time, one compute thread each. */
public final class SimulatedDaemon extends SimulatedWorker {
    static final long STORE_NANOS = 1_000_000;
    private static final long ROUND_RETRY_NANOS = Duration.ofMillis(20).toNanos();
    private static final long BACKUP_NANOS = 1_000_000;
    /** In lock-step, where all wait for it, a search is worth waiting for a store that was never open. */
    private static final long WARM_UP_NANOS = 20_000_000;

    private static final long SEARCH_NANOS = 60_000_000;

    private static final long LATE_BACKUP_NANOS = 150_000_000;
    private static final long BETWEEN_ITERATIONS_NANOS = 1_000;

    private static final long SEARCH_TOGETHER_NANOS = 400_000_000;
    static final Duration HALO_RETRY = Duration.ofMillis(10);

    final SimulatedHalos halos = new SimulatedHalos(this);
    final SimulatedSnapshots snapshots = new SimulatedSnapshots(this);
    private final SimulatedStepCommits commits = new SimulatedStepCommits(this);
    private final DaemonMachine machine;
    private final double slowness;
    final TreeMap<Integer, SimulatedBlock> blocks = new TreeMap<>();
    final TreeMap<Integer, BlockAssignment> routes = new TreeMap<>();
    private final TreeMap<Integer, Incarnation> opening = new TreeMap<>();
    private final Map<Integer, List<SimulatedBackups.Backup>> generations = new HashMap<>();
    /** True time of its start. */
    final long startedAt;

    boolean stopped;
    private boolean paced;

    SimulatedDaemon(Member member, SimulationState simulation, DaemonMachine machine, double slowness) {
        super(member, simulation);
        this.machine = machine;
        this.slowness = slowness;
        this.startedAt = simulation.queue.now();
    }

    /** Blocks it serves, or is about to. */
    Set<Integer> blocks() {
        Set<Integer> all = new TreeSet<>(blocks.keySet());
        all.addAll(opening.keySet());
        return all;
    }

    @Override
    int entries() {
        return machine.entries();
    }

    public boolean stopped() {
        return stopped;
    }

    /** Whether this daemon serves a block just now. */
    boolean serves(int block) {
        return blocks.containsKey(block);
    }

    /** Begins to sample. */
    void start() {
        if (!stopped) {
            List<ProgressMessage.BlockProgress> samples = new ArrayList<>();
            blocks.values()
                    .forEach(b -> samples.add(new ProgressMessage.BlockProgress(
                            b.id,
                            b.incarnation,
                            b.completed(),
                            b.completed() * (double) b.size,
                            b.hint,
                            0,
                            0,
                            b.step(),
                            backedUp(b))));
            Set<Integer> waiting = blocks.values().stream()
                    .filter(b -> !b.computing)
                    .map(b -> b.id)
                    .collect(Collectors.toSet());
            pace();
            handle(new DaemonEvent.ProgressSampled(samples, waiting));
            later(simulation.timing.sample(simulation.queue.now() - startedAt), this::start);
        }
    }

    /** Where stores open late nothing is backed up before a holder can be reached. */
    private void pace() {
        boolean reached = !store.reachable().isEmpty();
        if (simulation.scenario.faultPlan().stores().isPresent() && reached != paced) {
            paced = reached;
            handle(new DaemonEvent.BackupIntervalChanged(reached ? SimulationConfig.BACKUP_EVERY : 0));
        }
    }

    @Override
    void handle(WorkerEvent event) {
        handle((DaemonEvent) event);
    }

    @Override
    void received(WorkerId from, Message message) {
        if (message instanceof ToDaemon mine) {
            handle(new DaemonEvent.Received(from, mine));
        } else {
            simulation.checker.violated(member.name() + " gets " + message);
        }
    }

    void handle(DaemonEvent event) {
        if (!lives()) {
            return;
        }
        DaemonTurn turn = new DaemonTurn(now());
        machine.on(event, turn);
        for (DaemonAction action : turn.actions()) {
            if (lives()) { // it may have just died of the action before
                perform(action);
            }
        }
        done(turn);
    }

    /** As {@link #handle(DaemonEvent)}, once the current event is done. */
    void soon(DaemonEvent event) {
        later(0, () -> handle(event));
    }

    private void perform(DaemonAction action) {
        switch (action) {
            case WorkerAction shared -> carryOut(shared);
            case DaemonAction.OpenBlock open ->
                openLater(
                        open.block(),
                        open.incarnation(),
                        0,
                        () -> open(open.block(), open.incarnation(), Optional.empty(), false));
            case DaemonAction.RestoreBlock restore
            when simulation.scenario.defect() == InjectedFault.SLOW_HOLDERS -> {
                opening.put(restore.block(), restore.incarnation());
                var _ = new DelayedBackupSearch(this, restore, found -> {
                    if (opening.remove(restore.block(), restore.incarnation())) {
                        simulation.checker.searched(
                                restore, found.map(SimulatedBackups.Backup::key), left(restore.block()));
                        open(restore.block(), restore.incarnation(), found, true);
                    }
                });
            }
            case DaemonAction.RestoreBlock restore
            when simulation.scenario.defect() == InjectedFault.LATE_BACKUPS -> {
                openLater(
                        restore.block(),
                        restore.incarnation(),
                        SEARCH_NANOS,
                        () -> open(restore.block(), restore.incarnation(), Optional.empty(), true));
                later(LATE_BACKUP_NANOS, () -> adopt(restore.block(), restore.incarnation()));
            }
            case DaemonAction.RestoreBlock restore ->
                openLater(
                        restore.block(),
                        restore.incarnation(),
                        SEARCH_NANOS,
                        () -> open(restore.block(), restore.incarnation(), newest(restore.block()), true));
            case DaemonAction.FindGenerations find -> findGenerations(find.block(), find.incarnation());
            case DaemonAction.ResumeBlock resume ->
                openLater(resume.block(), resume.incarnation(), 0, () -> resume(resume));
            case DaemonAction.CheckpointBlock checkpoint -> {
                SimulatedBlock block = served(checkpoint.block());
                block.checkpoint = Optional.of(checkpoint);
                if (!block.computing) {
                    checkpoint(block);
                }
            }
            case DaemonAction.BeginPhase enter -> {
                SimulatedBlock block = blocks.get(enter.block());
                if (block != null && block.incarnation.equals(enter.incarnation())) {
                    block.period.enter(enter.phase());
                }
            }
            case DaemonAction.TestStep test -> {
                SimulatedBlock block = blocks.get(test.block());
                if (block != null && block.incarnation.equals(test.incarnation())) {
                    block.asked = test.iteration();
                    if (!block.computing) {
                        test(block);
                    }
                }
            }
            case DaemonAction.ReleaseBlock release -> {
                SimulatedBlock block = served(release.block());
                block.released = Math.max(block.released, release.iteration());
                next(block);
            }
            case DaemonAction.BackUp backUp -> {
                SimulatedBlock block = served(backUp.block());
                block.backUp = Optional.of(backUp);
                if (!block.computing) {
                    backUp(block, backUp);
                }
            }
            case DaemonAction.RouteBlock route -> route(route.entry());
            case DaemonAction.PublishHalo publish ->
                halos.publish(publish.from(), publish.to(), served(publish.from()).iteration);
            case DaemonAction.ResendHalo again -> halos.publishAgain(again);
            case DaemonAction.StartBlock start -> {
                served(start.block()).iterating = true;
                next(served(start.block()));
            }
            case DaemonAction.DropBlock drop -> {
                opening.remove(drop.block(), drop.incarnation());
                generations.remove(drop.block());
                SimulatedBlock block = blocks.get(drop.block());
                if (block != null && block.incarnation.equals(drop.incarnation())) {
                    blocks.remove(drop.block());
                }
            }
            case DaemonAction.RecordBlock record -> {
                SimulatedBlock block = served(record.block());
                block.wanted = record.sid();
                if (!block.computing) {
                    snapshots.record(block);
                }
            }
            case DaemonAction.SendRecordedHalo send -> snapshots.sendRecorded(send);
            case DaemonAction.EvaluatePart evaluate -> snapshots.evaluate(evaluate);
            case DaemonAction.StorePart store -> snapshots.store(store);
            case DaemonAction.CommitStep commit -> commits.commit(commit);
            case DaemonAction.DropRecord drop ->
                blocks.values().forEach(block -> {
                    block.record = null;
                    block.recorded = null;
                });
            case DaemonAction.StopComputing stop -> {
                stopped = true;
            }
            case DaemonAction.WarmUp request -> warmUp();
            case DaemonAction.Exit leave -> {
                stopped = true;
                simulation.faultInjector().left(this);
            }
        }
    }

    @Override
    void restart() {
        stopped = true;
        simulation.faultInjector().evicted(this);
    }

    SimulatedBlock served(int id) {
        SimulatedBlock block = blocks.get(id);
        if (block == null) {
            throw new IllegalStateException(member.name() + " does not serve block " + id);
        }
        return block;
    }

    /** What this incarnation has backed up. */
    private Optional<ProgressMessage.Backup> backedUp(SimulatedBlock block) {
        return simulation
                .holders
                .newest(block.id)
                .filter(backup -> backup.key().incarnation().equals(block.incarnation))
                .map(backup -> new ProgressMessage.Backup(backup.key().iteration(), List.of(backup.holder())));
    }

    /** A standby looks for other stores until it finds one; then its warm-up is finished. */
    private void warmUp() {
        if (simulation.scenario.faultPlan().stores().isEmpty()) {
            return;
        }
        if (simulation.scenario.defect() == InjectedFault.COLD_STORE && !simulation.oneStoreIsCold) {
            simulation.oneStoreIsCold = true;
            store.isolate();
        }
        later(WARM_UP_NANOS, () -> {
            if (!stopped && blocks.isEmpty() && opening.isEmpty()) {
                if (store.reachable().isEmpty()) {
                    warmUp();
                } else {
                    handle(new DaemonEvent.WarmupFinished());
                }
            }
        });
    }

    /** Opens a block, which takes a while, after looking for its backup for at most {@code patience}. */
    private void openLater(int id, Incarnation incarnation, long patience, Runnable open) {
        opening.put(id, incarnation);
        long time = (long) (simulation.timing.opening() * (0.5 + simulation.random.nextDouble()));
        later(
                time,
                () -> store.search(patience, () -> {
                    if (opening.remove(id, incarnation)) {
                        open.run();
                    }
                }));
    }

    private void open(int id, Incarnation incarnation, Optional<SimulatedBackups.Backup> state, boolean again) {
        FaultPlan.FaultKind faultPlan = simulation.scenario.faultPlan().kind();
        if (faultPlan == FaultPlan.FaultKind.POISON && id == simulation.victim) {
            // It names where its backup was: that is no iteration of its own.
            long behind = simulation
                    .holders
                    .newest(id)
                    .map(backup -> backup.key().iteration())
                    .orElse(0L);
            handle(new DaemonEvent.ProgressSampled(
                    List.of(new ProgressMessage.BlockProgress(
                            id, incarnation, behind, behind, Double.POSITIVE_INFINITY, 0, 0)),
                    Set.of()));
            simulation.faultInjector().kill(this);
            return;
        }
        if (faultPlan == FaultPlan.FaultKind.PICKY && id == simulation.victim && simulation.refusals++ < 2) {
            handle(new DaemonEvent.BlockFailed(id, incarnation, "block " + id + ": out of memory; use more blocks"));
            return;
        }
        if (simulation.scenario.defect() == InjectedFault.CANNOT_OPEN && id == simulation.victim) {
            handle(new DaemonEvent.BlockFailed(id, incarnation, "block " + id + ": file A.mtx is missing; restore it"));
            return;
        }
        Block opened;
        try {
            opened = simulation.problem.model().block(simulation.decomposition, id, Resources.SINGLE);
        } catch (InvalidProblemException refused) {
            handle(new DaemonEvent.BlockFailed(id, incarnation, "block " + id + ": " + refused.getMessage()));
            return;
        }
        List<Edge> incoming = simulation.decomposition.incoming(id);
        boolean inStep = simulation.scenario.rollsBack();
        long iteration = inStep ? state.map(backup -> backup.key().iteration()).orElse(0L) : 0;
        LockStepHalos lockStep = new LockStepHalos(incoming.size(), HALO_RETRY, iteration, now());
        SimulatedBlock block = new SimulatedBlock(
                id,
                incarnation,
                opened,
                incoming,
                simulation.decomposition.parts().get(id).core().size(),
                lockStep,
                opened instanceof RedundantCoarseBlock && simulation.scenario.scheme() == Scheme.ASYNCHRONOUS
                        ? Optional.of(new RoundGate(incoming.size(), 0, now()))
                        : Optional.empty(),
                hintBound());
        for (int k = 0; k < incoming.size(); k++) {
            simulation.problem.model().initialHalo(incoming.get(k), block.newest[k]);
        }
        boolean idle = blocks.keySet().stream().allMatch(other -> other == id);
        simulation.statistics.opened(
                id, member.id(), again, state.map(backup -> backup.key().iteration()), idle);
        blocks.put(id, block);
        state.ifPresent(backup -> restore(block, backup));
        for (Edge edge : incoming) {
            BlockAssignment entry = routes.get(edge.from());
            if (entry != null) {
                block.orders[block.edgeFrom(edge.from())].raise(entry.incarnation());
            }
            if (blocks.containsKey(edge.from())) {
                halos.publish(edge.from(), id, served(edge.from()).iteration);
            }
        }
        for (Edge edge : simulation.outgoing(id)) {
            if (blocks.containsKey(edge.to())) {
                halos.publish(id, edge.to(), block.iteration);
            }
        }
        OptionalLong from =
                state.map(backup -> OptionalLong.of(backup.key().iteration())).orElse(OptionalLong.empty());
        if (again) {
            simulation.checker.reopened(id, from);
        }
        int step = block.step();
        handle(
                again
                        ? new DaemonEvent.BlockRestored(id, incarnation, from, step)
                        : new DaemonEvent.BlockOpened(id, incarnation, step));
    }

    /** The newest backup, else the checkpoint on the volume. */
    private Optional<SimulatedBackups.Backup> newest(int block) {
        Optional<SimulatedBackups.Backup> state =
                simulation.holders.newest(block, this::finds).or(() -> simulation.volume.state(block));
        simulation.faultInjector().opens(block, state.isPresent());
        return state;
    }

    // ---- backups ---------------------------------------------------------------------------------------------------

    /** Members that can hold backups for this daemon. */
    private List<WorkerId> keepers() {
        return simulation.scenario.faultPlan().stores().isPresent()
                ? store.reachable()
                : simulation.others(this).stream()
                        .map(other -> other.member.id())
                        .toList();
    }

    /** Whether this daemon finds what that one keeps. */
    private boolean finds(WorkerId holder) {
        return simulation.scenario.faultPlan().stores().isEmpty()
                || holder.equals(member.id())
                || store.reachable().contains(holder);
    }

    /** Copies that are left of a block. */
    private List<BlockVersion> left(int block) {
        return simulation.nodes.keySet().stream()
                .flatMap(each -> simulation.holders.newest(block, each::equals).stream())
                .map(SimulatedBackups.Backup::key)
                .toList();
    }

    /** A block that started without its backup continues from it, if that is better. */
    private void adopt(int id, Incarnation incarnation) {
        SimulatedBlock block = blocks.get(id);
        if (block == null || !block.incarnation.equals(incarnation)) {
            return;
        }
        if (block.computing) {
            later(BETWEEN_ITERATIONS_NANOS, () -> adopt(id, incarnation)); // only between iterations
            return;
        }
        simulation
                .holders
                .newest(id, this::finds)
                .filter(block::adopt)
                .ifPresent(
                        backup -> simulation.checker.restored(id, backup.key().incarnation(), backup.core()));
    }

    private void restore(SimulatedBlock block, SimulatedBackups.Backup backup) {
        block.restore(backup, simulation.scenario.rollsBack());
        simulation.checker.restored(block.id, backup.key().incarnation(), backup.core());
    }

    // ---- in lock-step ----------------------------------------------------------------------------------------------

    private void findGenerations(int id, Incarnation incarnation) {
        opening.put(id, incarnation);
        long time = BACKUP_NANOS + simulation.random.nextLong(BACKUP_NANOS);
        later(
                time,
                () -> store.search(SEARCH_TOGETHER_NANOS, () -> {
                    if (opening.remove(id, incarnation)) {
                        List<SimulatedBackups.Backup> found = simulation.holders.generations(id, this::finds);
                        generations.put(id, found);
                        handle(new DaemonEvent.GenerationsFound(
                                id,
                                incarnation,
                                found.stream().map(SimulatedBackups::generation).toList()));
                    }
                }));
    }

    private void resume(DaemonAction.ResumeBlock resume) {
        List<SimulatedBackups.Backup> found = generations.getOrDefault(resume.block(), List.of());
        generations.remove(resume.block());
        Optional<SimulatedBackups.Backup> state = found.stream()
                .filter(backup -> resume.from()
                        .filter(SimulatedBackups.generation(backup)::equals)
                        .isPresent())
                .findFirst();
        if (resume.from().isPresent() && state.isEmpty()) {
            simulation.checker.violated("block " + resume.block() + " shall go back to "
                    + resume.from().get() + ", which it does not hold");
        }
        Optional<SimulatedBackups.Backup> start =
                resume.from().isPresent() ? state : simulation.volume.state(resume.block());
        open(resume.block(), resume.incarnation(), start, true);
    }

    /** Takes the checkpoint that is wanted, if the block has just come to its iteration. */
    private void checkpoint(SimulatedBlock block) {
        if (block.checkpoint.isEmpty()
                || block.iteration < block.checkpoint.get().iteration()) {
            return;
        }
        DaemonAction.CheckpointBlock wanted = block.checkpoint.get();
        block.checkpoint = Optional.empty();
        List<WorkerId> others = keepers();
        if (block.iteration > wanted.iteration() || others.isEmpty()) {
            soon(new DaemonEvent.CheckpointTaken(block.id, block.incarnation, wanted.iteration(), false));
            return;
        }
        simulation.faultInjector().inCheckpoint(this);
        BlockVersion key = new BlockVersion(block.incarnation, 0, block.iteration);
        double[] core = block.core();
        double[][] halos = block.newest.clone();
        int first = simulation.random.nextInt(others.size());
        for (int copy = 0; copy < Math.min(2, others.size()); copy++) {
            WorkerId holder = others.get((first + copy) % others.size());
            boolean last = copy == Math.min(2, others.size()) - 1;
            SimulatedBackups.Backup backup =
                    new SimulatedBackups.Backup(block.id, wanted.slot(), key, core, halos, block.saved(), holder);
            // One after the other, so that only the last says that both are there.
            later((copy + 1) * (BACKUP_NANOS + simulation.random.nextLong(BACKUP_NANOS / 2)), () -> {
                boolean stored = simulation.nodes.containsKey(holder) && simulation.holders.putGeneration(backup);
                if (last) {
                    boolean both = stored
                            && simulation.holders.generations(block.id, this::finds).stream()
                                    .anyMatch(b -> b.key().equals(key));
                    handle(new DaemonEvent.CheckpointTaken(block.id, block.incarnation, key.iteration(), both));
                }
            });
        }
    }

    private double hintBound() {
        return SnapshotConfig.of(simulation.scenario.tolerance()
                        * simulation.problem.model().scale())
                .hintBound();
    }

    /** Passes an iteration to the verification tree. */
    private void period(SimulatedBlock block) {
        if (simulation.scenario.tree()) {
            int phase = block.period.phase();
            block.period
                    .iterated(block.hint)
                    .ifPresent(
                            passed -> soon(new DaemonEvent.PhaseElapsed(block.id, block.incarnation, phase, passed)));
        }
    }

    /** Whether a block waits at a test that it has passed. */
    private boolean holds(SimulatedBlock block) {
        return simulation.scenario.rollsBack()
                && block.iteration > block.released
                && ConvergenceTestSchedule.next(block.iteration) == block.iteration
                && block.hint
                        <= SnapshotConfig.of(simulation.scenario.tolerance()
                                        * simulation.problem.model().scale())
                                .hintBound();
    }

    /** Answers for an iteration that was asked for. */
    private void test(SimulatedBlock block) {
        if (block.asked >= 0 && block.iteration >= block.asked) {
            long asked = block.asked;
            block.asked = -1;
            boolean passed = block.iteration == asked && holds(block);
            soon(new DaemonEvent.StepTested(block.id, block.incarnation, asked, passed, true));
        }
    }

    private void backUp(SimulatedBlock block, DaemonAction.BackUp action) {
        block.backUp = Optional.empty();
        if (action.last()) {
            block.iterating = false;
            simulation.checker.rests(block.id, block.core());
        }
        List<WorkerId> others = keepers();
        if (others.isEmpty()) {
            soon(new DaemonEvent.BackupFailed(block.id, block.incarnation, action.slot(), "there is no other daemon"));
            return;
        }
        WorkerId holder = others.get(simulation.random.nextInt(others.size()));
        BlockVersion key = new BlockVersion(block.incarnation, block.step(), block.completed());
        SimulatedBackups.Backup backup = new SimulatedBackups.Backup(
                block.id, action.slot(), key, block.core(), block.newest.clone(), block.saved(), holder);
        simulation.faultInjector().inBackup(this);
        later(BACKUP_NANOS + simulation.random.nextLong(BACKUP_NANOS), () -> {
            if (simulation.nodes.containsKey(holder) && simulation.holders.put(backup, simulation.checker)) {
                handle(new DaemonEvent.BackedUp(block.id, block.incarnation, action.slot(), key.iteration()));
            } else {
                handle(new DaemonEvent.BackupFailed(
                        block.id, block.incarnation, action.slot(), "its holder has ended"));
            }
        });
    }

    private void route(BlockAssignment entry) {
        routes.put(entry.block(), entry);
        for (SimulatedBlock block : blocks.values()) {
            int edge = block.edgeFrom(entry.block());
            if (edge >= 0) {
                block.orders[edge].raise(entry.incarnation());
            }
        }
    }

    /** Starts the next iteration, if its halos are there. */
    void next(SimulatedBlock block) {
        boolean lockStep = simulation.scenario.scheme() == Scheme.SYNCHRONOUS;
        if (stopped || block.computing || !block.iterating || blocks.get(block.id) != block || holds(block)) {
            return;
        }
        if (lockStep && !block.lockStep.isReady()) {
            awaitHalos(block);
            return;
        }
        if (block.gate.isPresent() && block.gate.get().isBehind()) {
            block.iteration = block.gate.get().newest();
            block.gate.get().join(block.iteration, now());
            halos.publish(block);
        }
        if (block.gate.isPresent() && !block.gate.get().isOpen(now())) {
            awaitRound(block);
            return;
        }
        boolean isComplete = block.gate.map(RoundGate::isComplete).orElse(false);
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
        later((long) time, () -> completed(block, halos, isComplete));
    }

    /** Publishes again while a halo of the round is missing: those of this block may be lost. */
    private void awaitRound(SimulatedBlock block) {
        if (block.awaitsRound) {
            return;
        }
        block.awaitsRound = true;
        later(ROUND_RETRY_NANOS, () -> {
            block.awaitsRound = false;
            if (!stopped && !block.computing && blocks.get(block.id) == block) {
                halos.publish(block);
                next(block);
            }
        });
    }

    private void awaitHalos(SimulatedBlock block) {
        long wanted = block.iteration;
        int step = block.step();
        later(block.lockStep.wakeUp() - now(), () -> {
            if (block.iteration == wanted && block.step() == step && !block.computing && !stopped) {
                for (int edge : block.lockStep.overdue(now())) {
                    handle(new DaemonEvent.HaloOverdue(block.incoming.get(edge).from(), block.id, step, wanted));
                }
                if (!block.lockStep.isReady()) {
                    awaitHalos(block);
                }
            }
        });
    }

    private void completed(SimulatedBlock block, double[][] halos, boolean isComplete) {
        block.computing = false;
        if (stopped || blocks.get(block.id) != block) {
            return;
        }
        block.hint = block.block.iterate(SimulatedBlock.halos(halos));
        block.iteration++;
        block.gate.ifPresent(gate -> gate.iterated(isComplete, block.iteration, now()));
        period(block);
        simulation.checker.iterated(block.id, block.incarnation, block.completed(), member, simulation.queue.now());
        simulation.statistics.iterated(block.id, block.completed(), simulation.queue.now());
        boolean broken = simulation.scenario.defect() == InjectedFault.NAN_IN_ITERATION
                && block.id == simulation.victim
                && block.iteration == 30;
        if (broken || !Double.isFinite(block.hint)) {
            block.iterating = false;
            handle(new DaemonEvent.BlockFailed(
                    block.id,
                    block.incarnation,
                    "block " + block.id + " computed NaN in iteration " + block.iteration + "; check the data"));
            return;
        }
        if (simulation.scenario.scheme() == Scheme.SYNCHRONOUS) {
            block.lockStep.advance(now());
            block.keep();
        }
        this.halos.publish(block);
        if (block.wanted > block.recordedSid) {
            snapshots.record(block);
        }
        block.backUp.ifPresent(action -> backUp(block, action));
        block.commit.ifPresent(Runnable::run);
        if (holds(block)) {
            soon(new DaemonEvent.StepTested(block.id, block.incarnation, block.iteration, true, false));
        }
        checkpoint(block);
        test(block);
        next(block);
    }
}
