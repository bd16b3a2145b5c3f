// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import static dev.volary.simulator.scenario.SteadyScenarios.ROUGH;
import static dev.volary.simulator.scenario.SteadyScenarios.steady;

import dev.volary.protocol.config.MonitoringKind;
import dev.volary.protocol.model.Scheme;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Workers come, go, pause and are cut off, in asynchronous and synchronous jobs. */
final class FaultScenarios {
    /** Time from the first iteration until late stores are opened. */
    private static final Duration LATE = Duration.ofMillis(50);

    private FaultScenarios() {}

    static List<Scenario> all() {
        return Stream.of(asynchronous(), synchronous(), anything())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Scenario> asynchronous() {
        return List.of(
                faulty("crash", FaultPlan.of(FaultPlan.FaultKind.ONE)),
                faulty("crash-ring", FaultPlan.of(FaultPlan.FaultKind.ONE)).monitored(MonitoringKind.RING),
                faulty("crash-random-monitors", FaultPlan.of(FaultPlan.FaultKind.ONE))
                        .monitored(MonitoringKind.RANDOM_MONITORS),
                faulty("crash-centralised", FaultPlan.of(FaultPlan.FaultKind.ONE))
                        .monitored(MonitoringKind.CENTRALISED),
                faulty(
                        "crash-no-standby",
                        FaultPlan.of(FaultPlan.FaultKind.ONE).withStandbys(0).withoutRestarts()),
                faulty("crash-no-backup", FaultPlan.of(FaultPlan.FaultKind.ONE).withoutBackups()),
                // A new process is quicker there than real ones, and would start from nothing, because its store is
                // cold.
                faulty(
                                "crash-late-stores",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withoutRestarts())
                        .lasting(24, 1e-12),
                faulty(
                                "crash-cold-standby",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(2)
                                        .withoutRestarts())
                        .workers(4, 4, 1, 32)
                        .broken(InjectedFault.COLD_STORE)
                        .lasting(24, 1e-12),
                faulty(
                                "crash-late-holders",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withoutRestarts())
                        .broken(InjectedFault.LATE_HOLDERS)
                        .lasting(36, 1e-12),
                faulty(
                                "crash-crowded",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(0))
                        .workers(4, 4, 1, 32)
                        .lasting(24, 1e-12),
                faulty(
                                "crash-all-crowded",
                                FaultPlan.of(FaultPlan.FaultKind.ALL)
                                        .withStores(LATE)
                                        .withStandbys(0))
                        .workers(4, 4, 2, 32)
                        .lasting(36, 1e-12),
                faulty(
                                "late-daemons",
                                FaultPlan.of(FaultPlan.FaultKind.JOIN)
                                        .withStores(LATE)
                                        .withStandbys(4))
                        .workers(8, 4, 2, 32)
                        .lasting(36, 1e-12),
                faulty(
                                "scaled-up",
                                FaultPlan.of(FaultPlan.FaultKind.SCALE)
                                        .withStores(LATE)
                                        .withStandbys(4))
                        .workers(8, 4, 2, 32)
                        .lasting(36, 1e-12),
                faulty(
                                "crash-moved-block",
                                FaultPlan.of(FaultPlan.FaultKind.NEW_OWNER_AND_HOLDERS)
                                        .withStores(LATE)
                                        .withStandbys(4)
                                        .withoutBackupsOnSpawners())
                        .workers(8, 4, 2, 32)
                        .lasting(36, 1e-12),
                faulty(
                                "crash-lone-groups",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(0)
                                        .withoutRestarts())
                        .workers(4, 4, 4, 32)
                        .lasting(24, 1e-12),
                faulty(
                                "crash-backups-on-daemons",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withoutRestarts()
                                        .withoutBackupsOnSpawners())
                        .lasting(24, 1e-12),
                faulty(
                                "crash-crowded-backups-on-daemons",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(0)
                                        .withoutRestarts()
                                        .withoutBackupsOnSpawners())
                        .workers(4, 4, 2, 32)
                        .lasting(24, 1e-12),
                faulty("crash-pair", FaultPlan.of(FaultPlan.FaultKind.PAIR)),
                faulty("crash-holder", FaultPlan.of(FaultPlan.FaultKind.OWNER_AND_HOLDER)),
                faulty(
                                "crash-slow-holders",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withoutRestarts())
                        .broken(InjectedFault.SLOW_HOLDERS)
                        .workers(12, 4, 1, 32)
                        .lasting(24, 1e-12),
                faulty("crash-half-late-backups", FaultPlan.of(FaultPlan.FaultKind.HALF))
                        .broken(InjectedFault.LATE_BACKUPS),
                faulty("crash-half", FaultPlan.of(FaultPlan.FaultKind.HALF)),
                faulty("crash-zone", FaultPlan.of(FaultPlan.FaultKind.ZONE).withDrift(0.05)),
                faulty("crash-all", FaultPlan.of(FaultPlan.FaultKind.ALL)),
                faulty("crash-in-snapshot", FaultPlan.of(FaultPlan.FaultKind.IN_SNAPSHOT)),
                faulty(
                                "crash-in-snapshot-groups",
                                FaultPlan.of(FaultPlan.FaultKind.IN_SNAPSHOT).withStandbys(3))
                        .workers(9, 6, 3, 4),
                faulty("crash-spawner", FaultPlan.of(FaultPlan.FaultKind.SPAWNER)),
                faulty("crash-spawner-of-three", FaultPlan.of(FaultPlan.FaultKind.SPAWNER))
                        .workers(9, 6, 3, 12),
                faulty("crash-lead", FaultPlan.of(FaultPlan.FaultKind.LEADER)),
                faulty("crash-lead-in-snapshot", FaultPlan.of(FaultPlan.FaultKind.LEADER_IN_SNAPSHOT))
                        .workers(9, 6, 3, 12),
                faulty("crash-lead-at-message", FaultPlan.of(FaultPlan.FaultKind.LEADER_AT_MESSAGE))
                        .workers(9, 6, 3, 12),
                faulty("crash-lead-at-message-of-two", FaultPlan.of(FaultPlan.FaultKind.LEADER_AT_MESSAGE)),
                faulty("crash-lead-in-delivery", FaultPlan.of(FaultPlan.FaultKind.LEADER_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .holders(2),
                faulty("crash-lead-in-delivery-of-two", FaultPlan.of(FaultPlan.FaultKind.LEADER_IN_DELIVERY))
                        .holders(2),
                faulty("crash-lead-in-publication", FaultPlan.of(FaultPlan.FaultKind.LEADER_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .holders(2)
                        .published(StorageModel.RELIABLE),
                faulty("crash-lead-without-storage", FaultPlan.of(FaultPlan.FaultKind.LEADER_IN_DELIVERY))
                        .workers(4, 2, 3, 12)
                        .holders(2)
                        .published(StorageModel.UNAVAILABLE),
                faulty("crash-lead-with-the-only-parts", FaultPlan.of(FaultPlan.FaultKind.LEADER_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .holders(1),
                faulty("crash-all-holders-in-delivery", FaultPlan.of(FaultPlan.FaultKind.HOLDERS_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .holders(2)
                        .network(ROUGH, ROUGH),
                faulty("tree-all-holders-in-delivery", FaultPlan.of(FaultPlan.FaultKind.HOLDERS_IN_DELIVERY))
                        .withTreeDetector()
                        .workers(9, 6, 3, 12)
                        .holders(2),
                faulty("fetch-in-pieces", FaultPlan.of(FaultPlan.FaultKind.LEADER_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .holders(2)
                        .broken(InjectedFault.FETCHES_IN_PIECES),
                faulty("fetch-in-pieces-holder", FaultPlan.of(FaultPlan.FaultKind.HOLDER_IN_FETCH))
                        .workers(9, 6, 3, 12)
                        .holders(2)
                        .broken(InjectedFault.FETCHES_IN_PIECES),
                faulty("storage-outage", FaultPlan.of(FaultPlan.FaultKind.LEADER_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .holders(2)
                        .published(StorageModel.OUTAGE),
                faulty("volume-outage", FaultPlan.of(FaultPlan.FaultKind.SUSPEND))
                        .broken(InjectedFault.VOLUME_OUTAGE)
                        .lasting(16, 1e-9),
                faulty("starved-machine", FaultPlan.of(FaultPlan.FaultKind.STARVED_MACHINE))
                        .workers(9, 6, 2, 12)
                        .lasting(16, 1e-8),
                faulty("cut-lead-in-delivery", FaultPlan.of(FaultPlan.FaultKind.LEADER_CUT_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .holders(1),
                // The last snapshot is worse than those before the crash.
                faulty(
                                "deadline-crash",
                                FaultPlan.of(FaultPlan.FaultKind.BEFORE_DEADLINE)
                                        .withoutBackups())
                        .workers(9, 6, 3, 12)
                        .holders(2)
                        .within(1e-16, Optional.of(Duration.ofMillis(1600))),
                faulty("crash-all-spawners", FaultPlan.of(FaultPlan.FaultKind.ALL_SPAWNERS)),
                faulty("crash-spawners-in-turn", FaultPlan.of(FaultPlan.FaultKind.SPAWNERS_IN_TURN))
                        .lasting(16, 1e-9),
                faulty("crash-spawner-and-successor", FaultPlan.of(FaultPlan.FaultKind.SPAWNER_AND_SUCCESSOR))
                        .workers(9, 6, 3, 12),
                faulty(
                                "crash-spawner-and-daemon",
                                FaultPlan.of(FaultPlan.FaultKind.SPAWNER_AND_DAEMON)
                                        .withDrift(0.02))
                        .workers(9, 6, 3, 12)
                        .network(ROUGH, ROUGH),
                faulty("power-off", FaultPlan.of(FaultPlan.FaultKind.SITE)).workers(9, 6, 2, 12),
                faulty(
                                "power-off-no-standby",
                                FaultPlan.of(FaultPlan.FaultKind.SITE)
                                        .withStandbys(0)
                                        .withoutRestarts())
                        .workers(9, 6, 2, 12),
                faulty("cut-machine", FaultPlan.of(FaultPlan.FaultKind.CUT_MACHINE))
                        .workers(9, 6, 2, 12)
                        .lasting(16, 1e-9),
                faulty("cut-machine-long", FaultPlan.of(FaultPlan.FaultKind.CUT_MACHINE_LONG))
                        .workers(9, 6, 2, 12)
                        .slowed(50)
                        .lasting(16, 1e-9),
                faulty("pause-lead", FaultPlan.of(FaultPlan.FaultKind.LEADER_PAUSE))
                        .workers(9, 6, 3, 12),
                faulty(
                                "slow-machine",
                                FaultPlan.of(FaultPlan.FaultKind.SLOW_MACHINE).withStandbys(0))
                        .workers(9, 4, 2, 12),
                faulty("cut-lead", FaultPlan.of(FaultPlan.FaultKind.LEADER_CUT_AT_VERDICT))
                        .workers(9, 6, 3, 12),
                faulty("late-lead", FaultPlan.of(FaultPlan.FaultKind.LEADER_LATE_AT_VERDICT))
                        .workers(9, 6, 3, 12),
                faulty("crash-groups", FaultPlan.of(FaultPlan.FaultKind.STORM))
                        .workers(9, 6, 3, 4)
                        .network(ROUGH, ROUGH),
                faulty("storm", FaultPlan.of(FaultPlan.FaultKind.STORM).withDrift(0.01))
                        .network(ROUGH, ROUGH),
                faulty("pause", FaultPlan.of(FaultPlan.FaultKind.PAUSE)),
                faulty("pause-in-backup", FaultPlan.of(FaultPlan.FaultKind.PAUSE_IN_BACKUP)),
                faulty("false-verdict", FaultPlan.of(FaultPlan.FaultKind.FALSE_VERDICT)),
                faulty("partition", FaultPlan.of(FaultPlan.FaultKind.PARTITION)),
                faulty("suspend", FaultPlan.of(FaultPlan.FaultKind.SUSPEND)),
                faulty(
                                "suspend-groups",
                                FaultPlan.of(FaultPlan.FaultKind.SUSPEND).withStandbys(2))
                        .workers(9, 6, 3, 4)
                        .network(ROUGH, ROUGH),
                faulty("leave", FaultPlan.of(FaultPlan.FaultKind.LEAVE)),
                faulty(
                        "leave-no-standby",
                        FaultPlan.of(FaultPlan.FaultKind.LEAVE).withStandbys(0).withoutRestarts()),
                faulty("poison", FaultPlan.of(FaultPlan.FaultKind.POISON)),
                faulty("picky", FaultPlan.of(FaultPlan.FaultKind.PICKY)).workers(8, 6, 1, 32),
                faulty("tree-crash", FaultPlan.of(FaultPlan.FaultKind.ONE)).withTreeDetector(),
                faulty("tree-pair", FaultPlan.of(FaultPlan.FaultKind.PAIR)).withTreeDetector(),
                faulty("tree-half", FaultPlan.of(FaultPlan.FaultKind.HALF)).withTreeDetector(),
                faulty("tree-pause", FaultPlan.of(FaultPlan.FaultKind.PAUSE)).withTreeDetector(),
                faulty("tree-in-snapshot", FaultPlan.of(FaultPlan.FaultKind.IN_SNAPSHOT))
                        .withTreeDetector(),
                faulty("tree-lead", FaultPlan.of(FaultPlan.FaultKind.LEADER)).withTreeDetector(),
                faulty("tree-groups", FaultPlan.of(FaultPlan.FaultKind.TWICE).withStandbys(3))
                        .withTreeDetector()
                        .workers(9, 6, 3, 4)
                        .network(ROUGH, ROUGH));
    }

    private static List<Scenario> synchronous() {
        return List.of(
                synchronous("synchronous-crash", FaultPlan.FaultKind.ONE),
                synchronous(
                        "synchronous-crash-no-backup",
                        FaultPlan.of(FaultPlan.FaultKind.ONE).withoutBackups()),
                synchronous(
                                "synchronous-late-stores",
                                FaultPlan.of(FaultPlan.FaultKind.LATE).withStores(LATE))
                        .lasting(20, 1e-12),
                synchronous(
                                "synchronous-lone-groups",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(0))
                        .workers(4, 4, 4, 32)
                        .lasting(28, 1e-12),
                synchronous(
                                "synchronous-crowded",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(0))
                        .workers(4, 4, 1, 32)
                        .lasting(44, 1e-12),
                synchronous(
                                "synchronous-crowded-groups",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(0))
                        .workers(4, 4, 2, 32)
                        .lasting(44, 1e-12),
                synchronous("synchronous-pair", FaultPlan.FaultKind.PAIR),
                synchronous("synchronous-half", FaultPlan.FaultKind.HALF),
                synchronous("synchronous-zone", FaultPlan.FaultKind.ZONE),
                synchronous("synchronous-all", FaultPlan.FaultKind.ALL),
                synchronous("synchronous-pause", FaultPlan.FaultKind.PAUSE),
                synchronous("synchronous-false-verdict", FaultPlan.FaultKind.FALSE_VERDICT),
                synchronous("synchronous-leave", FaultPlan.FaultKind.LEAVE),
                synchronous("synchronous-in-checkpoint", FaultPlan.FaultKind.IN_CHECKPOINT),
                synchronous("synchronous-in-rollback", FaultPlan.FaultKind.IN_ROLLBACK),
                synchronous("synchronous-in-snapshot", FaultPlan.FaultKind.IN_SNAPSHOT),
                synchronous("synchronous-twice", FaultPlan.FaultKind.TWICE),
                synchronous("synchronous-spawner", FaultPlan.FaultKind.SPAWNER),
                synchronous("synchronous-lead-in-snapshot", FaultPlan.FaultKind.LEADER_IN_SNAPSHOT)
                        .workers(9, 6, 3, 12),
                synchronous("synchronous-all-holders-in-delivery", FaultPlan.FaultKind.HOLDERS_IN_DELIVERY)
                        .workers(9, 6, 3, 12)
                        .holders(2),
                synchronous(
                                "synchronous-groups",
                                FaultPlan.of(FaultPlan.FaultKind.TWICE)
                                        .withStandbys(3)
                                        .withDrift(0.02))
                        .workers(9, 6, 3, 4)
                        .network(ROUGH, ROUGH),
                synchronous("synchronous-storm", FaultPlan.of(FaultPlan.FaultKind.STORM))
                        .network(ROUGH, ROUGH));
    }

    private static List<Scenario> anything() {
        return List.of(
                faulty("anything", FaultPlan.of(FaultPlan.FaultKind.ANYTHING).withDrift(0.02))
                        .network(ROUGH, ROUGH)
                        .slowed(3),
                faulty(
                                "anything-groups",
                                FaultPlan.of(FaultPlan.FaultKind.ANYTHING).withStandbys(2))
                        .workers(12, 9, 3, 6)
                        .network(ROUGH, ROUGH));
    }

    private static Scenario synchronous(String name, FaultPlan.FaultKind kind) {
        return synchronous(name, FaultPlan.of(kind));
    }

    private static Scenario synchronous(String name, FaultPlan faultPlan) {
        return faulty(name, faultPlan).inScheme(Scheme.SYNCHRONOUS);
    }

    /** Eight blocks on six daemons, with this fault. */
    static Scenario faulty(String name, FaultPlan faultPlan) {
        return steady(name).workers(8, 6, 2, 32).with(faultPlan);
    }
}
