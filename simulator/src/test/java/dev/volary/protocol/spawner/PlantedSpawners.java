package dev.volary.protocol.spawner;

import dev.volary.protocol.JobShape;
import dev.volary.protocol.Member;
import dev.volary.protocol.snapshot.SnapshotRules;

/** Spawners with planted rules. */
public final class PlantedSpawners {
    private PlantedSpawners() {}

    /** A spawner that follows these rules. */
    public static SpawnerMachine of(Member self, JobShape shape, JobConfig config, long seed, SnapshotRules rules) {
        return new SpawnerMachine(self, shape, config, seed, rules);
    }
}
