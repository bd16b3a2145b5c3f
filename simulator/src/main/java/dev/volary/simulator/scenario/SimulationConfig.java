// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import dev.volary.protocol.config.BackupPolicy;
import dev.volary.protocol.config.DaemonConfig;
import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.config.MonitoringKind;
import dev.volary.protocol.config.RecoveryPolicy;
import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.model.Scheme;
import java.time.Duration;

/**
 * All that a simulation is put together from.
 *
 * @param scenario the job and its simulation
 * @param problem what it solves
 * @param timing how long things take
 * @param job what its spawners want
 * @param daemon how its daemons behave
 * @param failureModel injects faults beside the scenario
 * @param zones that workers are spread over in turn; 0 if there are none
 * @param standbys daemons that start once all blocks iterate; those of the scenario's fault plan start with all others
 */
public record SimulationConfig(
        Scenario scenario,
        SimulatedProblem problem,
        TimingModel timing,
        SpawnerConfig job,
        DaemonConfig daemon,
        FailureModel failureModel,
        int zones,
        int standbys) {
    public static final long BACKUP_EVERY = 10;
    private static final int MANY_ATTEMPTS = 10;
    private static final int ZONES = 3;
    private static final Duration RETRY = Duration.ofMillis(50);

    /** Of a short job. */
    public static SimulationConfig of(Scenario scenario) {
        SimulatedProblem problem = scenario.rounds()
                ? SimulatedProblem.rounds(scenario.side(), scenario.steps(), scenario.blocks())
                : SimulatedProblem.plate(scenario.side(), scenario.steps(), scenario.blocks());
        return new SimulationConfig(
                scenario,
                problem,
                TimingModel.QUICK,
                job(scenario, problem),
                daemon(scenario),
                FailureModel.NONE,
                ZONES,
                0);
    }

    private static SpawnerConfig job(Scenario scenario, SimulatedProblem problem) {
        // Daemons that die ten times as fast as blocks start would make every block look guilty.
        int attempts =
                switch (scenario.faultPlan().kind()) {
                    case POISON, PICKY -> 3;
                    default -> MANY_ATTEMPTS;
                };
        SnapshotConfig snapshots = SnapshotConfig.of(problem.absolute(scenario.tolerance()));
        SpawnerConfig config = new SpawnerConfig(
                scenario.daemons(),
                scenario.daemons(),
                scenario.wanted(),
                scenario.spawners(),
                Duration.ofSeconds(5),
                scenario.groupBound(),
                RETRY,
                Duration.ofMillis(10),
                scenario.tree() ? snapshots.waitingForDetector() : snapshots,
                scenario.deadline(),
                Duration.ofSeconds(1),
                new RecoveryPolicy(scenario.scheme() == Scheme.ASYNCHRONOUS, attempts, Duration.ofSeconds(5)),
                watch(scenario),
                scenario.spools() > 0 ? 2 : 1,
                scenario.storage() == StorageModel.UNAVAILABLE ? Duration.ofMillis(500) : Duration.ofSeconds(5),
                scenario.faultPlan().holders() != FaultPlan.BackupHolders.DAEMONS);
        if (scenario.storage() != StorageModel.NONE) {
            config = config.publishing();
        }
        if (scenario.rounds()) {
            config = config.inRounds();
        }
        config = config.withOutputEvery(scenario.outputEvery());
        return scenario.faultPlan().kind().keepsCheckpoints() ? config.keeping() : config;
    }

    /** Where workers come and go, time-outs are as short as the jobs. */
    private static FailureDetectorConfig watch(Scenario scenario) {
        if (scenario.faultPlan().kind() == FaultPlan.FaultKind.NONE) {
            return FailureDetectorConfig.standard();
        }
        if (scenario.monitoring() == MonitoringKind.RANDOM_MONITORS) {
            // As the paper's: a time-out is one heartbeat, the insurance forty.
            return new FailureDetectorConfig(
                    MonitoringKind.RANDOM_MONITORS,
                    2,
                    FaultPlan.TIMEOUT,
                    FaultPlan.TIMEOUT,
                    FaultPlan.TIMEOUT.multipliedBy(40),
                    0,
                    FaultPlan.TIMEOUT,
                    FaultPlan.TIMEOUT.multipliedBy(30));
        }
        return FailureDetectorConfig.of(scenario.monitoring(), 2, FaultPlan.TIMEOUT);
    }

    private static DaemonConfig daemon(Scenario scenario) {
        BackupPolicy backups = backups(scenario.faultPlan());
        DaemonConfig config =
                new DaemonConfig(scenario.scheme(), RETRY, Duration.ofMillis(500), backups, watch(scenario));
        return scenario.tree() ? config.withTreeDetector() : config;
    }

    private static BackupPolicy backups(FaultPlan faultPlan) {
        if (!faultPlan.backups()) {
            return BackupPolicy.NONE;
        }
        return faultPlan
                .stores()
                .map(after -> new BackupPolicy(0, 2).opening(after))
                .orElseGet(() -> new BackupPolicy(BACKUP_EVERY, 2));
    }
}
