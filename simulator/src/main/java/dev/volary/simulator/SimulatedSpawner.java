// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import dev.volary.protocol.Action;
import dev.volary.protocol.Event;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.LeaderElectionRecord;
import dev.volary.protocol.Member;
import dev.volary.protocol.WorkerId;
import dev.volary.protocol.spawner.SpawnerMachine;
import dev.volary.protocol.step.CommittedStep;

/** A spawner process, with the arbiter and the result sink at hand. */
final class SimulatedSpawner extends SimulatedWorker {
    private static final long ARBITER_NANOS = 300_000;
    private static final long ASSEMBLY_NANOS = 2_000_000;
    private static final long COPY_NANOS = 3_000_000;
    private static final long BROKEN_COPY_NANOS = 10_000_000;

    private final SpawnerMachine machine;

    SimulatedSpawner(Member member, SimulationState world, SpawnerMachine machine) {
        super(member, world, machine);
        this.machine = machine;
    }

    @Override
    int entries() {
        return machine.entries();
    }

    @Override
    void perform(Action action) {
        switch (action) {
            case Action.ReadArbiter read -> {
                if (!world.isCut(member.id(), SimulationState.ARBITER)) {
                    later(delay(), this::answer);
                }
            }
            case Action.CompareAndSet set when world.isCut(member.id(), SimulationState.ARBITER) -> {}
            case Action.CompareAndSet set -> {
                world.perturbator().stands(this);
                world.agenda.after(delay(), () -> {
                    if (world.arbiter.equals(set.expected())) {
                        world.arbiter = set.next();
                    }
                    answer();
                });
            }
            case Action.EmitEvent emit -> {
                world.judge.emitted(emit.event(), world.holders);
                boolean lives =
                        emit.event() instanceof JobEvent.DaemonLost lost && world.nodes.containsKey(lost.daemon());
                world.ledger.emitted(emit.event(), lives, world.agenda.now());
                if (emit.event() instanceof JobEvent.AllIterating) {
                    world.perturbator().allIterate();
                }
            }
            case Action.AssembleResult assemble -> {
                world.perturbator().delivers(this);
                later(ASSEMBLY_NANOS, () -> assemble(assemble));
            }
            case Action.CopyResult copy -> {
                world.perturbator().delivers(this);
                later(COPY_NANOS, () -> copy(copy));
            }
            case Action.SaveCheckpoint keep ->
                later(ASSEMBLY_NANOS, () -> {
                    CommittedStep record = keep.record();
                    world.judge.checkpoint(record, world.sink);
                    world.volume.keep(record);
                    handle(new Event.CheckpointSaved(record.sid(), record.step(), record.residual()));
                    world.perturbator().kept();
                });
            case Action.DeleteParts forget -> world.sink.forget(forget.before());
            case Action.Restart anew -> world.perturbator().ended(this);
            case Action.Finish finish -> {
                world.judge.finished(finish.outcome(), world.sink);
                world.perturbator().over();
            }
            default -> world.judge.violated(member.name() + " wants " + action);
        }
    }

    private void assemble(Action.AssembleResult assemble) {
        long sid = assemble.sid();
        boolean parts = assemble.parts().stream()
                .allMatch(part -> world.sink
                        .find(sid, part.part(), holder -> !world.isCut(holder, member.id()))
                        .isPresent());
        if (world.scenario.defect() == Scenario.InjectedFault.CANNOT_ASSEMBLE) {
            handle(new Event.AssemblyFailed("result is on a full disk; free some space"));
        } else if (!parts && !world.sink.hasResult(member.id(), sid)) {
            handle(new Event.PartsMissing(sid, "no spawner that lives has all parts of snapshot " + sid));
        } else {
            world.judge.assembled(assemble);
            world.sink.holdsResult(member.id(), sid);
            world.perturbator().delivers(this);
            handle(new Event.ResultAssembled(sid));
        }
    }

    private void copy(Action.CopyResult copy) {
        WorkerId to = copy.to().id();
        if (!world.nodes.containsKey(to) || world.isCut(member.id(), to) || world.isCut(to, member.id())) {
            later(BROKEN_COPY_NANOS, () -> handle(new Event.ResultCopyFailed(copy.sid(), to, "it does not answer")));
            return;
        }
        world.sink.holdsResult(to, copy.sid());
        world.perturbator().delivers(this);
        handle(new Event.ResultCopied(copy.sid(), to));
    }

    private long delay() {
        return ARBITER_NANOS + world.random.nextLong(ARBITER_NANOS);
    }

    private void answer() {
        LeaderElectionRecord record = world.arbiter;
        later(delay(), () -> handle(new Event.ArbiterAnswered(record)));
    }
}
