// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.ToSpawner;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.spawner.SpawnerMachine;
import dev.volary.simulator.scenario.InjectedFault;
import dev.volary.simulator.scenario.StorageModel;
import java.util.List;

/** A spawner process, with the arbiter and the result sink at hand. */
public final class SimulatedSpawner extends SimulatedWorker {
    private static final long ARBITER_NANOS = 300_000;
    private static final long ASSEMBLY_NANOS = 2_000_000;
    /** Longest time that an output step takes, which may be longer than the step after it. */
    private static final long STEP_ASSEMBLY_NANOS = 300_000_000;

    private static final long COPY_NANOS = 3_000_000;
    /** Of a result that is copied in pieces. */
    private static final long SLOW_COPY_NANOS = 30_000_000;

    private static final long BROKEN_COPY_NANOS = 10_000_000;
    private static final long PUBLICATION_NANOS = 5_000_000;

    private final SpawnerMachine machine;

    SimulatedSpawner(Member member, SimulationState simulation, SpawnerMachine machine) {
        super(member, simulation);
        this.machine = machine;
    }

    @Override
    int entries() {
        return machine.entries();
    }

    @Override
    void handle(WorkerEvent event) {
        handle((SpawnerEvent) event);
    }

    @Override
    void received(WorkerId from, Message message) {
        if (message instanceof ToSpawner mine) {
            handle(new SpawnerEvent.Received(from, mine));
        } else {
            simulation.checker.violated(member.name() + " gets " + message);
        }
    }

    void handle(SpawnerEvent event) {
        if (!lives()) {
            return;
        }
        SpawnerTurn turn = new SpawnerTurn(now());
        machine.on(event, turn);
        for (SpawnerAction action : turn.actions()) {
            if (lives()) { // it may have just died of the action before
                perform(action);
            }
        }
        done(turn);
    }

    private void perform(SpawnerAction action) {
        switch (action) {
            case WorkerAction shared -> carryOut(shared);
            case SpawnerAction.ReadArbiter read -> {
                if (!simulation.isCut(member.id(), SimulationState.ARBITER)) {
                    later(delay(), this::answer);
                }
            }
            // What is asked of the arbiter over a cut line is never answered.
            case SpawnerAction.CompareAndSet set when simulation.isCut(member.id(), SimulationState.ARBITER) -> {}
            case SpawnerAction.CompareAndSet set -> {
                simulation.faultInjector().stands(this);
                simulation.queue.after(delay(), () -> {
                    if (simulation.arbiter.equals(set.expected())) {
                        simulation.arbiter = set.next();
                    }
                    answer();
                });
            }
            case SpawnerAction.EmitEvent emit -> {
                simulation.checker.eventEmitted(emit.event(), simulation.holders);
                boolean lives =
                        emit.event() instanceof JobEvent.DaemonLost lost && simulation.nodes.containsKey(lost.daemon());
                simulation.statistics.emitted(emit.event(), lives, simulation.queue.now());
                if (emit.event() instanceof JobEvent.AllIterating) {
                    simulation.faultInjector().allIterate();
                }
            }
            case SpawnerAction.AssembleStep(CommittedStep record) ->
                later(simulation.random.nextLong(STEP_ASSEMBLY_NANOS), () -> {
                    if (simulation.scenario.storage() != StorageModel.NONE
                            && !simulation.storage.put(record.sid(), simulation.queue.now())) {
                        handle(new SpawnerEvent.StepNotKept(record.step(), "the storage is not available"));
                        return;
                    }
                    simulation.checker.outputStepAssembled(record, simulation.sink);
                    handle(new SpawnerEvent.StepAssembled(record.step()));
                });
            case SpawnerAction.AssembleResult assemble -> {
                simulation.faultInjector().delivers(this);
                fetch(assemble);
            }
            case SpawnerAction.CopyResult copy -> {
                simulation.faultInjector().delivers(this);
                boolean isSlow = simulation.scenario.defect() == InjectedFault.FETCHES_IN_PIECES;
                later(isSlow ? SLOW_COPY_NANOS : COPY_NANOS, () -> copy(copy));
            }
            case SpawnerAction.PublishResult(long sid) -> {
                simulation.faultInjector().delivers(this);
                later(PUBLICATION_NANOS, () -> publish(sid));
            }
            case SpawnerAction.SaveCheckpoint keep ->
                later(ASSEMBLY_NANOS, () -> {
                    CommittedStep record = keep.record();
                    if (!simulation.volume.isAvailable()) {
                        handle(new SpawnerEvent.CheckpointFailed(record.sid(), "the volume is not available"));
                        return;
                    }
                    simulation.checker.checkpointSaved(record, simulation.sink);
                    simulation.volume.keep(record);
                    handle(new SpawnerEvent.CheckpointSaved(record.sid(), record.step(), record.residual()));
                    simulation.faultInjector().checkpointSaved();
                });
            case SpawnerAction.HoldParts hold ->
                later(COPY_NANOS + simulation.random.nextLong(COPY_NANOS), () -> hold(hold));
            case SpawnerAction.DeleteParts forget -> simulation.sink.forget(forget.before());
            case SpawnerAction.Finish finish -> {
                simulation.checker.jobEnded(finish.outcome(), simulation.sink, simulation.storage);
                simulation.faultInjector().jobEnded();
            }
        }
    }

    @Override
    void restart() {
        simulation.faultInjector().evicted(this);
    }

    /** Fetches all parts, one after the other. */
    private void fetch(SpawnerAction.AssembleResult assemble) {
        if (simulation.scenario.defect() != InjectedFault.FETCHES_IN_PIECES
                || simulation.sink.hasResult(member.id(), assemble.sid())) {
            later(ASSEMBLY_NANOS, () -> assemble(assemble));
            return;
        }
        List<RecordedBlock> parts =
                assemble.parts().stream().map(SnapshotMessage.StoredPart::part).toList();
        new SimulatedPartTransfer(this, assemble.sid(), parts, isComplete -> {
                    if (isComplete) {
                        assemble(assemble);
                    } else {
                        handle(new SpawnerEvent.PartsMissing(assemble.sid(), "a part is lost while it is fetched"));
                    }
                })
                .start();
    }

    private void assemble(SpawnerAction.AssembleResult assemble) {
        long sid = assemble.sid();
        boolean parts = assemble.parts().stream()
                .allMatch(part -> simulation
                        .sink
                        .find(sid, part.part(), holder -> !simulation.isCut(holder, member.id()))
                        .isPresent());
        if (simulation.scenario.defect() == InjectedFault.CANNOT_ASSEMBLE) {
            handle(new SpawnerEvent.AssemblyFailed("result is on a full disk; free some space"));
        } else if (!parts && !simulation.sink.hasResult(member.id(), sid)) {
            handle(new SpawnerEvent.PartsMissing(sid, "no spawner that lives has all parts of snapshot " + sid));
        } else {
            simulation.checker.resultAssembled(assemble);
            simulation.sink.holdsResult(member.id(), sid);
            simulation.faultInjector().delivers(this);
            handle(new SpawnerEvent.ResultAssembled(sid));
        }
    }

    /** A spawner copies the parts that it lacks. */
    private void hold(SpawnerAction.HoldParts hold) {
        WorkerId by = hold.by().id();
        List<RecordedBlock> parts =
                hold.parts().stream().map(SnapshotMessage.StoredPart::part).toList();
        boolean isHeld = isReachable(by)
                && parts.stream().allMatch(part -> simulation.sink.copy(hold.sid(), part, by, this::isReachable));
        handle(
                isHeld
                        ? new SpawnerEvent.PartsHeld(hold.sid(), by)
                        : new SpawnerEvent.PartsNotHeld(
                                hold.sid(), by, "no spawner that can be reached has all parts"));
    }

    private boolean isReachable(WorkerId spawner) {
        return simulation.nodes.containsKey(spawner)
                && !simulation.isCut(member.id(), spawner)
                && !simulation.isCut(spawner, member.id());
    }

    private void copy(SpawnerAction.CopyResult copy) {
        WorkerId to = copy.to().id();
        if (!isReachable(to) || simulation.breaksCopy()) {
            later(
                    BROKEN_COPY_NANOS,
                    () -> handle(new SpawnerEvent.ResultCopyFailed(copy.sid(), to, "it does not answer")));
            return;
        }
        simulation.sink.holdsResult(to, copy.sid());
        simulation.faultInjector().delivers(this);
        handle(new SpawnerEvent.ResultCopied(copy.sid(), to));
    }

    private void publish(long sid) {
        if (!simulation.sink.hasResult(member.id(), sid)) {
            simulation.checker.violated(member.name() + " publishes a result that it does not hold");
        }
        if (simulation.storage.put(sid, simulation.queue.now())) {
            simulation.faultInjector().delivers(this);
            handle(new SpawnerEvent.ResultPublished(sid, "storage"));
        } else {
            handle(new SpawnerEvent.PublicationFailed(sid, "the storage is not available"));
        }
    }

    private long delay() {
        return ARBITER_NANOS + simulation.random.nextLong(ARBITER_NANOS);
    }

    private void answer() {
        LeaderElectionRecord record = simulation.arbiter;
        later(delay(), () -> handle(new SpawnerEvent.ArbiterAnswered(record)));
    }
}
