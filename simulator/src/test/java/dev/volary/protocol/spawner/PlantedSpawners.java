// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.leader.TakeoverRules;
import dev.volary.protocol.log.LogRules;
import dev.volary.protocol.log.PlantedLogs;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.rollback.RollbackRules;
import dev.volary.protocol.snapshot.SnapshotRules;

/** Spawners with planted rules. */
public final class PlantedSpawners {
    private PlantedSpawners() {}

    /** A spawner that follows these rules. */
    public static SpawnerMachine of(Member self, JobGraph graph, SpawnerConfig config, long seed, SnapshotRules rules) {
        return new SpawnerMachine(self, graph, config, seed, rules);
    }

    /** A spawner that goes back as these rules say. */
    public static SpawnerMachine of(Member self, JobGraph graph, SpawnerConfig config, long seed, RollbackRules rules) {
        TakeoverRules planted = new TakeoverRules(SnapshotRules.standard(), LogRules.standard(), rules);
        return new SpawnerMachine(self, graph, config, seed, planted);
    }

    /** A spawner whose log counts a record as soon as it has written it itself. */
    public static SpawnerMachine firstMemberIsEnough(Member self, JobGraph graph, SpawnerConfig config, long seed) {
        TakeoverRules rules = new TakeoverRules(SnapshotRules.standard(), PlantedLogs.firstMemberIsEnough());
        return new SpawnerMachine(self, graph, config, seed, rules);
    }

    /** A spawner that lets an old leader go on: it breaks its promise, and does not dismiss it either. */
    public static SpawnerMachine withoutPromise(Member self, JobGraph graph, SpawnerConfig config, long seed) {
        TakeoverRules rules = new TakeoverRules(SnapshotRules.standard(), PlantedLogs.withoutPromise()) {
            @Override
            public boolean dismisses() {
                return false;
            }
        };
        return new SpawnerMachine(self, graph, config, seed, rules);
    }

    /** A spawner that takes another one for gone on the word of daemons that lose the same cable. */
    public static SpawnerMachine withoutDoubt(Member self, JobGraph graph, SpawnerConfig config, long seed) {
        TakeoverRules rules = new TakeoverRules(SnapshotRules.standard(), LogRules.standard()) {
            @Override
            public boolean believes(Member here, Member witness, Member suspect) {
                return true;
            }
        };
        return new SpawnerMachine(self, graph, config, seed, rules);
    }

    /** A spawner that, as the leader, does what it has decided without waiting for the log. */
    public static SpawnerMachine withoutLog(Member self, JobGraph graph, SpawnerConfig config, long seed) {
        TakeoverRules rules = new TakeoverRules(SnapshotRules.standard(), LogRules.standard()) {
            @Override
            public boolean counts(boolean durable) {
                return true;
            }
        };
        return new SpawnerMachine(self, graph, config, seed, rules);
    }
}
