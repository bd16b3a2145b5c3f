package dev.volary.simulator;

import dev.volary.protocol.HaloKey;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.step.StepRecord;
import java.util.Optional;
import java.util.function.Function;

/** The checkpoint volume: it outlives all workers. Its newest checkpoint's parts are those of the {@link Sink}. */
final class Volume {
    private static final NodeId NOBODY = new NodeId(1);

    private final World world;
    private Optional<StepRecord> newest = Optional.empty();

    Volume(World world) {
        this.world = world;
    }

    /** The newest by step, then by snapshot, whoever comes last. */
    void keep(StepRecord record) {
        if (newest.filter(known ->
                        known.step() > record.step() || (known.step() == record.step() && known.sid() > record.sid()))
                .isEmpty()) {
            newest = Optional.of(record);
        }
    }

    Optional<StepRecord> newest() {
        return newest;
    }

    /** What a block of the stationary problem starts from, with all halos of the same vector. */
    Optional<Holders.Backup> state(int block) {
        Optional<StepRecord> kept = newest.filter(record -> record.step() == 0);
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        StepRecord record = kept.get();
        Function<Integer, Optional<double[]>> core =
                id -> record.part(id).flatMap(part -> world.sink.find(record.sid(), part.part()));
        Optional<double[]> own = core.apply(block);
        Optional<double[][]> halos = world.halosOf(block, core);
        if (own.isEmpty() || halos.isEmpty()) {
            world.judge.violated("checkpoint " + record.sid() + " lacks values that block " + block + " needs");
            return Optional.empty();
        }
        HaloKey key = new HaloKey(record.part(block).orElseThrow().part().incarnation(), 0, 0);
        return Optional.of(new Holders.Backup(block, 0, key, own.get(), halos.get(), new byte[0], NOBODY));
    }
}
