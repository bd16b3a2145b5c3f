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
import dev.volary.protocol.message.ToSpawner;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.spawner.SpawnerMachine;
import dev.volary.simulator.scenario.Scenario;

/** A spawner process, with the arbiter and the result sink at hand. */
public final class SimulatedSpawner extends SimulatedWorker {
    private static final long ARBITER_NANOS = 300_000;
    private static final long ASSEMBLY_NANOS = 2_000_000;
    private static final long COPY_NANOS = 3_000_000;
    private static final long BROKEN_COPY_NANOS = 10_000_000;

    private final SpawnerMachine machine;

    SimulatedSpawner(Member member, SimulationState world, SpawnerMachine machine) {
        super(member, world);
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
            world.judge.violated(member.name() + " gets " + message);
        }
    }

    void handle(SpawnerEvent event) {
        if (!lives()) {
            return;
        }
        SpawnerTurn turn = new SpawnerTurn(now());
        machine.on(event, turn);
        for (SpawnerAction action : turn.actions()) {
            if (does(action)) {
                perform(action);
            }
        }
        done(turn);
    }

    private void perform(SpawnerAction action) {
        switch (action) {
            case WorkerAction shared -> carryOut(shared);
            case SpawnerAction.ReadArbiter read -> {
                if (!world.isCut(member.id(), SimulationState.ARBITER)) {
                    later(delay(), this::answer);
                }
            }
            // What is asked of the arbiter over a cut line is never answered.
            case SpawnerAction.CompareAndSet set when world.isCut(member.id(), SimulationState.ARBITER) -> {}
            case SpawnerAction.CompareAndSet set -> {
                world.perturbator().stands(this);
                world.agenda.after(delay(), () -> {
                    if (world.arbiter.equals(set.expected())) {
                        world.arbiter = set.next();
                    }
                    answer();
                });
            }
            case SpawnerAction.EmitEvent emit -> {
                world.judge.emitted(emit.event(), world.holders);
                boolean lives =
                        emit.event() instanceof JobEvent.DaemonLost lost && world.nodes.containsKey(lost.daemon());
                world.ledger.emitted(emit.event(), lives, world.agenda.now());
                if (emit.event() instanceof JobEvent.AllIterating) {
                    world.perturbator().allIterate();
                }
            }
            case SpawnerAction.AssembleResult assemble -> {
                world.perturbator().delivers(this);
                later(ASSEMBLY_NANOS, () -> assemble(assemble));
            }
            case SpawnerAction.CopyResult copy -> {
                world.perturbator().delivers(this);
                later(COPY_NANOS, () -> copy(copy));
            }
            case SpawnerAction.SaveCheckpoint keep ->
                later(ASSEMBLY_NANOS, () -> {
                    CommittedStep record = keep.record();
                    world.judge.checkpoint(record, world.sink);
                    world.volume.keep(record);
                    handle(new SpawnerEvent.CheckpointSaved(record.sid(), record.step(), record.residual()));
                    world.perturbator().kept();
                });
            case SpawnerAction.DeleteParts forget -> world.sink.forget(forget.before());
            case SpawnerAction.Finish finish -> {
                world.judge.finished(finish.outcome(), world.sink);
                world.perturbator().over();
            }
        }
    }

    @Override
    void restart() {
        world.perturbator().ended(this);
    }

    private void assemble(SpawnerAction.AssembleResult assemble) {
        long sid = assemble.sid();
        boolean parts = assemble.parts().stream()
                .allMatch(part -> world.sink
                        .find(sid, part.part(), holder -> !world.isCut(holder, member.id()))
                        .isPresent());
        if (world.scenario.defect() == Scenario.InjectedFault.CANNOT_ASSEMBLE) {
            handle(new SpawnerEvent.AssemblyFailed("result is on a full disk; free some space"));
        } else if (!parts && !world.sink.hasResult(member.id(), sid)) {
            handle(new SpawnerEvent.PartsMissing(sid, "no spawner that lives has all parts of snapshot " + sid));
        } else {
            world.judge.assembled(assemble);
            world.sink.holdsResult(member.id(), sid);
            world.perturbator().delivers(this);
            handle(new SpawnerEvent.ResultAssembled(sid));
        }
    }

    private void copy(SpawnerAction.CopyResult copy) {
        WorkerId to = copy.to().id();
        if (!world.nodes.containsKey(to) || world.isCut(member.id(), to) || world.isCut(to, member.id())) {
            later(
                    BROKEN_COPY_NANOS,
                    () -> handle(new SpawnerEvent.ResultCopyFailed(copy.sid(), to, "it does not answer")));
            return;
        }
        world.sink.holdsResult(to, copy.sid());
        world.perturbator().delivers(this);
        handle(new SpawnerEvent.ResultCopied(copy.sid(), to));
    }

    private long delay() {
        return ARBITER_NANOS + world.random.nextLong(ARBITER_NANOS);
    }

    private void answer() {
        LeaderElectionRecord record = world.arbiter;
        later(delay(), () -> handle(new SpawnerEvent.ArbiterAnswered(record)));
    }
}
