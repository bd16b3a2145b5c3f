// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.scenario.InjectedFault;
import dev.volary.solver.Residual;
import dev.volary.solver.ResidualNorm;
import java.util.HashSet;
import java.util.Set;

/** A simulated daemon's part in snapshots: records, evaluates and stores its blocks. */
final class SimulatedSnapshots {
    /** The typical time until a part is stored. */
    static final long STORE_NANOS = 1_000_000;

    private final SimulatedDaemon daemon;

    SimulatedSnapshots(SimulatedDaemon daemon) {
        this.daemon = daemon;
    }

    /** Records a block for a snapshot, at once or after the iteration it computes. */
    void record(DaemonAction.RecordBlock action) {
        SimulatedBlock block = daemon.served(action.block());
        block.wanted = action.sid();
        if (!block.computing) {
            record(block);
        }
    }

    /** Records a block that does not compute. */
    void record(SimulatedBlock block) {
        double[] core = block.core();
        block.recordedSid = block.wanted;
        block.record = core;
        block.recorded = new RecordedBlock(block.id, block.incarnation, SimulatedBlock.hash(core));
        daemon.simulation.faultInjector().inSnapshot(daemon);
        daemon.simulation.checker.blockRecorded(block.recordedSid, block.recorded, core, block.step(), block.iteration);
        daemon.soon(new DaemonEvent.BlockRecorded(block.recordedSid, block.recorded, block.iteration));
    }

    /** Sends the recorded halo of a block to a reader that evaluates its part. */
    void sendRecorded(DaemonAction.SendRecordedHalo send) {
        SimulatedBlock block = daemon.served(send.from());
        if (block.record == null || block.recorded == null || block.recordedSid != send.sid()) {
            return;
        }
        double[] values = daemon.simulation.edgeValues(send.from(), send.to(), block.record);
        BlockAssignment route = daemon.halos.routes.get(send.to());
        if (route != null) {
            daemon.simulation.recordedHalo(
                    daemon.member.id(),
                    route.daemon().id(),
                    new RecordedValues(block.step(), send.sid(), block.recorded, send.to(), values));
        }
    }

    /** Recorded values come from the network. */
    void arrived(RecordedValues halo) {
        SimulatedBlock block = daemon.blocks.get(halo.to());
        if (!daemon.stopped && block != null && halo.sid() >= block.wanted) {
            block.recordedHalos.put(
                    halo.source().block(), new SimulatedBlock.RecordedHalo(halo.source(), halo.values()));
            daemon.handle(new DaemonEvent.RecordedHaloArrived(halo.step(), halo.sid(), halo.source(), halo.to()));
        }
    }

    /** Computes the residual of a recorded block, with the records of its sources. */
    void evaluate(DaemonAction.EvaluatePart action) {
        SimulatedBlock block = daemon.served(action.block());
        RecordedBlock own = block.recorded;
        double[] core = block.record;
        if (own == null || core == null || block.recordedSid != action.sid()) {
            return;
        }
        double[][] halos = new double[block.incoming.size()][];
        for (RecordedBlock used : action.used()) {
            int edge = block.edgeFrom(used.block());
            SimulatedBlock local = daemon.blocks.get(used.block());
            SimulatedBlock.RecordedHalo remote = block.recordedHalos.get(used.block());
            if (local != null && local.record != null && used.equals(local.recorded)) {
                halos[edge] = daemon.simulation.edgeValues(used.block(), block.id, local.record);
            } else if (remote != null && remote.source().equals(used)) {
                halos[edge] = remote.values();
            } else {
                daemon.soon(new DaemonEvent.RecordedHaloMissing(action.sid(), used, block.id));
                return;
            }
        }
        int step = block.step();
        long time = daemon.simulation.timing.evaluation(block.size);
        daemon.later(time, () -> {
            if (block.step() != step) {
                return; // a commit came first, so the snapshot is over
            }
            Residual exact = block.block.residual(core, SimulatedBlock.halos(halos));
            PartialResidual residual = partial(exact);
            if (daemon.simulation.scenario.defect() == InjectedFault.NAN_IN_RESIDUAL
                    && block.id == daemon.simulation.victim) {
                residual = new PartialResidual(Double.NaN, Double.NaN, 0);
            }
            daemon.simulation.checker.blockEvaluated(action.sid(), own, action.used());
            daemon.handle(new DaemonEvent.PartEvaluated(action.sid(), own, action.used(), residual, time / 20));
        });
    }

    private static PartialResidual partial(Residual residual) {
        return new PartialResidual(
                residual.norm(), residual.sumOfSquares(), residual.roundoff(), residual.kind() == ResidualNorm.SUM);
    }

    /** Stores the recorded part of a block. */
    void store(DaemonAction.StorePart action) {
        SimulatedBlock block = daemon.served(action.block());
        RecordedBlock own = block.recorded;
        double[] core = block.record;
        daemon.simulation.faultInjector().inSnapshot(daemon);
        long wait = (long) (STORE_NANOS * (0.5 + daemon.simulation.random.nextDouble()));
        daemon.later(wait, () -> {
            if (own == null || core == null) {
                daemon.simulation.checker.violated("block " + action.block() + " shall store what it does not hold");
            } else if (daemon.simulation.scenario.defect() == InjectedFault.CANNOT_STORE
                    && action.block() == daemon.simulation.victim) {
                daemon.handle(new DaemonEvent.StoreFailed(
                        action.sid(), action.block(), "result is on a full disk; free some space", false));
            } else if (daemon.simulation.storeTimesOut()) {
                daemon.later(
                        100 * wait,
                        () -> daemon.handle(new DaemonEvent.StoreFailed(
                                action.sid(), action.block(), "no spawner took it in time", true)));
            } else if (daemon.simulation.scenario.spools() > 0) {
                deliver(action.sid(), own, core);
            } else {
                daemon.simulation.sink.put(action.sid(), own, core);
                stored(action.sid(), own, core);
            }
        });
    }

    /** Drops the records of all blocks; blocks at rest whose vector is refused go on. */
    void dropRecords(boolean areRefused) {
        for (SimulatedBlock block : daemon.blocks.values()) {
            block.record = null;
            block.recorded = null;
            if (areRefused) {
                block.rounds.ifPresent(SimulatedRounds::notCertified);
            }
        }
    }

    /** Brings a part to the spawners that hold it; waits while there is no leader. */
    private void deliver(long sid, RecordedBlock own, double[] core) {
        Set<WorkerId> holders = new HashSet<>();
        daemon.simulation.partHolders().forEach(holder -> holders.add(holder.member.id()));
        if (holders.isEmpty()) {
            daemon.later(STORE_NANOS, () -> deliver(sid, own, core));
        } else {
            daemon.simulation.sink.put(sid, own, core, holders);
            stored(sid, own, core);
        }
    }

    private void stored(long sid, RecordedBlock own, double[] core) {
        daemon.simulation.checker.partStored(sid, own, core);
        daemon.handle(new DaemonEvent.PartStored(sid, own, (int) SimulatedBlock.hash(core)));
    }
}
