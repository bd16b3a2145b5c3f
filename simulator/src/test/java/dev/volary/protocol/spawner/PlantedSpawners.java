package dev.volary.protocol.spawner;

import dev.volary.protocol.JobShape;
import dev.volary.protocol.Member;
import dev.volary.protocol.rollback.RollbackRules;
import dev.volary.protocol.snapshot.SnapshotRules;

/** Spawners with planted rules. */
public final class PlantedSpawners {
    private PlantedSpawners() {}

    /** A spawner that follows these rules. */
    public static SpawnerMachine of(Member self, JobShape shape, JobConfig config, long seed, SnapshotRules rules) {
        return new SpawnerMachine(self, shape, config, seed, rules, RollbackRules.standard());
    }

    /** A spawner that goes back as these rules say. */
    public static SpawnerMachine of(Member self, JobShape shape, JobConfig config, long seed, RollbackRules rules) {
        return new SpawnerMachine(self, shape, config, seed, SnapshotRules.standard(), rules);
    }
}
