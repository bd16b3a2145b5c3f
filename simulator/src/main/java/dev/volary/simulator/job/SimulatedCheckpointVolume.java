// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.scenario.InjectedFault;
import java.util.Optional;
import java.util.function.Function;

/** The checkpoint volume: it outlives all workers. Its newest checkpoint's parts are those of the {@link SimulatedPartRepository}. */
final class SimulatedCheckpointVolume {
    private static final WorkerId NO_WORKER = new WorkerId(1);

    private static final long OUTAGE_NANOS = 40_000_000;

    private final SimulationState simulation;
    private Optional<CommittedStep> newest = Optional.empty();
    private long keptAt;

    SimulatedCheckpointVolume(SimulationState simulation) {
        this.simulation = simulation;
    }

    /** Whether it takes a checkpoint now. */
    boolean isAvailable() {
        return simulation.scenario.defect() != InjectedFault.VOLUME_OUTAGE
                || newest.isEmpty()
                || simulation.queue.now() - keptAt > OUTAGE_NANOS;
    }

    /** Keeps the newest record by step, then by snapshot, in whatever order they arrive. */
    void keep(CommittedStep record) {
        if (newest.filter(known ->
                        known.step() > record.step() || (known.step() == record.step() && known.sid() > record.sid()))
                .isEmpty()) {
            newest = Optional.of(record);
            keptAt = simulation.queue.now();
        }
    }

    Optional<CommittedStep> newest() {
        return newest;
    }

    /** What a block of the stationary problem starts from, with all halos of the same vector. */
    Optional<SimulatedBackups.Backup> state(int block) {
        Optional<CommittedStep> kept = newest.filter(record -> record.step() == 0);
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        CommittedStep record = kept.get();
        Function<Integer, Optional<double[]>> core =
                id -> record.part(id).flatMap(part -> simulation.sink.find(record.sid(), part.part()));
        Optional<double[]> own = core.apply(block);
        Optional<double[][]> halos = simulation.halosOf(block, core);
        if (own.isEmpty() || halos.isEmpty()) {
            simulation.checker.violated("checkpoint " + record.sid() + " lacks values that block " + block + " needs");
            return Optional.empty();
        }
        BlockVersion key =
                new BlockVersion(record.part(block).orElseThrow().part().incarnation(), 0, 0);
        return Optional.of(new SimulatedBackups.Backup(block, 0, key, own.get(), halos.get(), new byte[0], NO_WORKER));
    }
}
