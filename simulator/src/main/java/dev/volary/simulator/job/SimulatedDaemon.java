// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.daemon.DaemonMachine;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.ToDaemon;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.scenario.SimulationConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A daemon process: real blocks that iterate in virtual time, one compute thread each. It passes events to the daemon's machine, and
 * each action to the part that executes it.
 */
public final class SimulatedDaemon extends SimulatedWorker {
    private final DaemonMachine machine;
    final SimulatedBlockOpener opener = new SimulatedBlockOpener(this);
    final SimulatedIterations iterations;
    final SimulatedHalos halos = new SimulatedHalos(this);
    final SimulatedBackupWriter backups = new SimulatedBackupWriter(this);
    final SimulatedSnapshots snapshots = new SimulatedSnapshots(this);
    final SimulatedStepCommits commits = new SimulatedStepCommits(this);

    /** Open blocks. */
    final TreeMap<Integer, SimulatedBlock> blocks = new TreeMap<>();
    /** True time of its start. */
    final long startedAt;

    boolean stopped;
    private boolean paced;

    SimulatedDaemon(Member member, SimulationState simulation, DaemonMachine machine, double slowness) {
        super(member, simulation);
        this.machine = machine;
        this.iterations = new SimulatedIterations(this, slowness);
        this.startedAt = simulation.queue.now();
    }

    /** Blocks it serves, or is about to. */
    Set<Integer> blocks() {
        Set<Integer> all = new TreeSet<>(blocks.keySet());
        all.addAll(opener.opening());
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

    /** The open block of this number. */
    SimulatedBlock served(int id) {
        SimulatedBlock block = blocks.get(id);
        if (block == null) {
            throw new IllegalStateException(member.name() + " does not serve block " + id);
        }
        return block;
    }

    /** Begins to sample. */
    void start() {
        if (!stopped) {
            sample();
            later(simulation.timing.sample(simulation.queue.now() - startedAt), this::start);
        }
    }

    /** Samples outside the period. */
    void sampleSoon() {
        later(0, this::sample);
    }

    private void sample() {
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
                            backups.newestOf(b))));
            Set<Integer> waiting = blocks.values().stream()
                    .filter(b -> !b.computing)
                    .map(b -> b.id)
                    .collect(Collectors.toSet());
            pace();
            handle(new DaemonEvent.ProgressSampled(samples, waiting));
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
        if (message instanceof RegistrationMessage.TransferDaemon) {
            simulation.holders.leavesGroup(member.id());
        }
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
            case DaemonAction.WarmUp request -> opener.warmUp();
            case DaemonAction.OpenBlock open -> opener.open(open);
            case DaemonAction.RestoreBlock restore -> opener.restore(restore);
            case DaemonAction.FindGenerations find -> opener.findGenerations(find);
            case DaemonAction.ResumeBlock resume -> opener.resume(resume);
            case DaemonAction.DropBlock drop -> opener.drop(drop);
            case DaemonAction.StartBlock start -> iterations.start(start);
            case DaemonAction.BeginPhase enter -> iterations.beginPhase(enter);
            case DaemonAction.TestStep test -> iterations.test(test);
            case DaemonAction.ReleaseBlock release -> iterations.release(release);
            case DaemonAction.RouteBlock route -> halos.route(route.entry());
            case DaemonAction.PublishHalo publish ->
                halos.publish(publish.from(), publish.to(), served(publish.from()).iteration);
            case DaemonAction.ResendHalo again -> halos.publishAgain(again);
            case DaemonAction.BackUp backUp -> backups.backUp(backUp);
            case DaemonAction.CheckpointBlock checkpoint -> backups.checkpoint(checkpoint);
            case DaemonAction.RecordBlock record -> snapshots.record(record);
            case DaemonAction.SendRecordedHalo send -> snapshots.sendRecorded(send);
            case DaemonAction.EvaluatePart evaluate -> snapshots.evaluate(evaluate);
            case DaemonAction.StorePart store -> snapshots.store(store);
            case DaemonAction.DropRecord drop -> snapshots.dropRecords(drop.isRefused());
            case DaemonAction.CommitStep commit -> commits.commit(commit);
            case DaemonAction.StopComputing stop -> stopped = true;
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
}
