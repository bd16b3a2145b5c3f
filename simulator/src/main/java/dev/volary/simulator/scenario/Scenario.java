// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import dev.volary.protocol.config.MonitoringKind;
import dev.volary.protocol.model.Scheme;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A job and the simulation it runs in. The job solves {@link LaplaceModel}.
 *
 * @param name to be found by
 * @param side unknowns along each side of the laplace
 * @param blocks blocks
 * @param daemons daemons
 * @param spawners spawners
 * @param groupBound most daemons in a group
 * @param scheme when halos are taken
 * @param tree the verification tree says when a snapshot decides
 * @param tolerance relative
 * @param data what happens to halos and recorded halos
 * @param control what happens to the frames of control links
 * @param burst only every so-many-th halo is sent at all
 * @param slow how much slower the first daemon computes
 * @param stale old incarnations' halos and wrongly labeled recorded halos are about
 * @param defect what is broken
 * @param deadline of the job
 * @param chaos what happens to workers
 * @param steps in time; 0 for the stationary problem
 * @param spools spawners that hold each part and the result; 0 for a volume that outlives all workers
 * @param monitoring who monitors whom
 */
public record Scenario(
        String name,
        int side,
        int blocks,
        int daemons,
        int spawners,
        int groupBound,
        Scheme scheme,
        boolean tree,
        double tolerance,
        NetworkModel data,
        NetworkModel control,
        int burst,
        double slow,
        boolean stale,
        InjectedFault defect,
        Optional<Duration> deadline,
        FaultPlan chaos,
        int steps,
        int spools,
        MonitoringKind monitoring) {

    /** What is broken in a scenario. */
    public enum InjectedFault {
        /** Nothing. */
        NONE,
        /** The iteration of one block yields NaN after a while. */
        NAN_IN_ITERATION,
        /** The residual of one block is NaN. */
        NAN_IN_RESIDUAL,
        /** One block cannot be opened. */
        CANNOT_OPEN,
        /** The result sink refuses one part. */
        CANNOT_STORE,
        /** The result cannot be assembled. */
        CANNOT_ASSEMBLE,
        /** One daemon's control link carries nothing for 1 s. */
        LINK_STUCK_FOR_A_WHILE,
        /** One daemon's control link carries nothing from 60 ms on. */
        LINK_STUCK_FOREVER,
        /** One edge carries no halos at all; recorded halos pass. */
        DEAF_EDGE,
        /** One daemon never starts. */
        DAEMON_MISSING,
        /** The store of the first standby never finds the others. */
        COLD_STORE,
        /** Every second answer to whoever looks for a copy takes its time. */
        SLOW_HOLDERS
    }

    /** Stores are opened so long after the first iteration, where they are opened late. */
    private static final Duration LATE = Duration.ofMillis(50);

    private static Scenario calm(String name) {
        return new Scenario(
                name,
                12,
                6,
                4,
                2,
                32,
                Scheme.ASYNCHRONOUS,
                false,
                1e-5,
                NetworkModel.NONE,
                NetworkModel.NONE,
                1,
                1,
                false,
                InjectedFault.NONE,
                Optional.empty(),
                FaultPlan.NONE,
                0,
                0,
                MonitoringKind.RING_WITH_CONFIRMATION);
    }

    private static NetworkModel faults(double jitterMillis, double loss, double duplication, double straggle) {
        return new NetworkModel(
                Duration.ofNanos(200_000), Duration.ofNanos((long) (jitterMillis * 1e6)), loss, duplication, straggle);
    }

    /** Daemons that are to compute once all are there. */
    int wanted() {
        return chaos.kind() == FaultPlan.FaultKind.JOIN ? daemons + chaos.standbys() : daemons;
    }

    /** The scenarios of the build. */
    public static List<Scenario> all() {
        return Stream.of(steady(), perturbed(), marching())
                .flatMap(List::stream)
                .toList();
    }

    /** Those that march in time. */
    private static List<Scenario> marching() {
        NetworkModel rough = faults(0.5, 0.05, 0.02, 0.02);
        return List.of(
                calm("steps").marching(4),
                calm("steps-lossy").marching(3).network(faults(0.5, 0.2, 0, 0), faults(1, 0.05, 0.05, 0.05)),
                calm("steps-synchronous").marching(3).inScheme(Scheme.SYNCHRONOUS),
                calm("steps-synchronous-lossy")
                        .marching(3)
                        .inScheme(Scheme.SYNCHRONOUS)
                        .network(faults(0.5, 0.05, 0.05, 0.05), rough)
                        .slowed(2),
                calm("steps-groups").marching(3).workers(8, 8, 3, 3).network(rough, rough),
                calm("steps-tree").marching(3).verified().network(faults(0.5, 0.2, 0, 0), rough),
                stormy("steps-tree-crash", FaultPlan.of(FaultPlan.FaultKind.ONE))
                        .marching(3)
                        .verified(),
                stormy("steps-synchronous-crash", FaultPlan.of(FaultPlan.FaultKind.ONE))
                        .marching(3)
                        .inScheme(Scheme.SYNCHRONOUS),
                stormy("steps-crash-in-commit", FaultPlan.of(FaultPlan.FaultKind.IN_COMMIT))
                        .marching(3),
                stormy(
                                "steps-crash-in-commit-no-backup",
                                FaultPlan.of(FaultPlan.FaultKind.IN_COMMIT).withoutBackups())
                        .marching(3),
                stormy("steps-crash-holder-in-commit", FaultPlan.of(FaultPlan.FaultKind.HOLDER_IN_COMMIT))
                        .marching(3)
                        .network(rough, rough),
                stormy("steps-crash-lead-in-commit", FaultPlan.of(FaultPlan.FaultKind.LEAD_IN_COMMIT))
                        .marching(3)
                        .workers(9, 6, 3, 12),
                stormy("steps-crash-lead-in-commit-groups", FaultPlan.of(FaultPlan.FaultKind.LEAD_IN_COMMIT))
                        .marching(3)
                        .workers(9, 9, 3, 4),
                stormy("steps-crash-lead-in-commit-spooled", FaultPlan.of(FaultPlan.FaultKind.LEAD_IN_COMMIT))
                        .marching(3)
                        .workers(9, 6, 3, 12)
                        .spooled(2),
                stormy("steps-crash-in-commit-spooled", FaultPlan.of(FaultPlan.FaultKind.IN_COMMIT))
                        .marching(3)
                        .spooled(1),
                stormy("steps-all-holders-in-delivery", FaultPlan.of(FaultPlan.FaultKind.HOLDERS_IN_DELIVERY))
                        .marching(3)
                        .workers(9, 6, 3, 12)
                        .spooled(2),
                stormy("steps-crash-all", FaultPlan.of(FaultPlan.FaultKind.ALL)).marching(3),
                stormy("steps-suspend", FaultPlan.of(FaultPlan.FaultKind.SUSPEND))
                        .marching(3),
                stormy("steps-storm", FaultPlan.of(FaultPlan.FaultKind.STORM).withDrift(0.01))
                        .marching(3)
                        .network(rough, rough),
                stormy(
                                "steps-anything",
                                FaultPlan.of(FaultPlan.FaultKind.ANYTHING).withDrift(0.02))
                        .marching(3)
                        .network(rough, rough)
                        .slowed(3));
    }

    /** Those in which workers come and go. */
    static List<Scenario> perturbed() {
        NetworkModel rough = faults(0.5, 0.05, 0.02, 0.02);
        return List.of(
                stormy("crash", FaultPlan.of(FaultPlan.FaultKind.ONE)),
                stormy("crash-ring", FaultPlan.of(FaultPlan.FaultKind.ONE)).monitored(MonitoringKind.RING),
                stormy("crash-random-monitors", FaultPlan.of(FaultPlan.FaultKind.ONE))
                        .monitored(MonitoringKind.RANDOM_MONITORS),
                stormy("crash-centralised", FaultPlan.of(FaultPlan.FaultKind.ONE))
                        .monitored(MonitoringKind.CENTRALISED),
                stormy(
                        "crash-no-standby",
                        FaultPlan.of(FaultPlan.FaultKind.ONE).withStandbys(0).withoutRestarts()),
                stormy("crash-no-backup", FaultPlan.of(FaultPlan.FaultKind.ONE).withoutBackups()),
                // A new process is quicker there than real ones, and would begin anew, for its store is cold.
                stormy(
                                "crash-late-stores",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withoutRestarts())
                        .lasting(24, 1e-12),
                stormy(
                                "crash-cold-standby",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(2)
                                        .withoutRestarts())
                        .workers(4, 4, 1, 32)
                        .broken(InjectedFault.COLD_STORE)
                        .lasting(24, 1e-12),
                stormy(
                                "crash-crowded",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(0))
                        .workers(4, 4, 1, 32)
                        .lasting(24, 1e-12),
                stormy(
                                "crash-all-crowded",
                                FaultPlan.of(FaultPlan.FaultKind.ALL)
                                        .withStores(LATE)
                                        .withStandbys(0))
                        .workers(4, 4, 2, 32)
                        .lasting(36, 1e-12),
                stormy(
                                "late-daemons",
                                FaultPlan.of(FaultPlan.FaultKind.JOIN)
                                        .withStores(LATE)
                                        .withStandbys(4))
                        .workers(8, 4, 2, 32)
                        .lasting(36, 1e-12),
                stormy(
                                "scaled-up",
                                FaultPlan.of(FaultPlan.FaultKind.SCALE)
                                        .withStores(LATE)
                                        .withStandbys(4))
                        .workers(8, 4, 2, 32)
                        .lasting(36, 1e-12),
                stormy(
                                "crash-lone-groups",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(0)
                                        .withoutRestarts())
                        .workers(4, 4, 4, 32)
                        .lasting(24, 1e-12),
                stormy("crash-pair", FaultPlan.of(FaultPlan.FaultKind.PAIR)),
                stormy("crash-holder", FaultPlan.of(FaultPlan.FaultKind.OWNER_AND_HOLDER)),
                stormy(
                                "crash-slow-holders",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withoutRestarts())
                        .broken(InjectedFault.SLOW_HOLDERS)
                        .workers(12, 4, 1, 32)
                        .lasting(24, 1e-12),
                stormy("crash-half", FaultPlan.of(FaultPlan.FaultKind.HALF)),
                stormy("crash-zone", FaultPlan.of(FaultPlan.FaultKind.ZONE).withDrift(0.05)),
                stormy("crash-all", FaultPlan.of(FaultPlan.FaultKind.ALL)),
                stormy("crash-in-snapshot", FaultPlan.of(FaultPlan.FaultKind.IN_SNAPSHOT)),
                stormy(
                                "crash-in-snapshot-groups",
                                FaultPlan.of(FaultPlan.FaultKind.IN_SNAPSHOT).withStandbys(3))
                        .workers(9, 6, 3, 4),
                stormy("crash-spawner", FaultPlan.of(FaultPlan.FaultKind.SPAWNER)),
                stormy("crash-spawner-of-three", FaultPlan.of(FaultPlan.FaultKind.SPAWNER))
                        .workers(9, 6, 3, 12),
                stormy("crash-lead", FaultPlan.of(FaultPlan.FaultKind.LEAD)),
                stormy("crash-lead-in-snapshot", FaultPlan.of(FaultPlan.FaultKind.LEAD_IN_SNAPSHOT))
                        .workers(9, 6, 3, 12),
                stormy("crash-lead-at-message", FaultPlan.of(FaultPlan.FaultKind.LEAD_AT_MESSAGE))
                        .workers(9, 6, 3, 12),
                stormy("crash-lead-at-message-of-two", FaultPlan.of(FaultPlan.FaultKind.LEAD_AT_MESSAGE)),
                stormy("crash-lead-in-delivery", FaultPlan.of(FaultPlan.FaultKind.LEAD_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .spooled(2),
                stormy("crash-lead-in-delivery-of-two", FaultPlan.of(FaultPlan.FaultKind.LEAD_IN_DELIVERY))
                        .spooled(2),
                stormy("crash-lead-with-the-only-parts", FaultPlan.of(FaultPlan.FaultKind.LEAD_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .spooled(1),
                stormy("crash-all-holders-in-delivery", FaultPlan.of(FaultPlan.FaultKind.HOLDERS_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .spooled(2)
                        .network(rough, rough),
                stormy("tree-all-holders-in-delivery", FaultPlan.of(FaultPlan.FaultKind.HOLDERS_IN_DELIVERY))
                        .verified()
                        .workers(9, 6, 3, 12)
                        .spooled(2),
                stormy("cut-lead-in-delivery", FaultPlan.of(FaultPlan.FaultKind.LEAD_CUT_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .spooled(1),
                stormy("crash-all-spawners", FaultPlan.of(FaultPlan.FaultKind.ALL_SPAWNERS)),
                stormy("crash-spawner-and-successor", FaultPlan.of(FaultPlan.FaultKind.SPAWNER_AND_SUCCESSOR))
                        .workers(9, 6, 3, 12),
                stormy(
                                "crash-spawner-and-daemon",
                                FaultPlan.of(FaultPlan.FaultKind.SPAWNER_AND_DAEMON)
                                        .withDrift(0.02))
                        .workers(9, 6, 3, 12)
                        .network(rough, rough),
                stormy("power-off", FaultPlan.of(FaultPlan.FaultKind.SITE)).workers(9, 6, 2, 12),
                stormy(
                                "power-off-no-standby",
                                FaultPlan.of(FaultPlan.FaultKind.SITE)
                                        .withStandbys(0)
                                        .withoutRestarts())
                        .workers(9, 6, 2, 12),
                stormy("cut-machine", FaultPlan.of(FaultPlan.FaultKind.CUT_MACHINE))
                        .workers(9, 6, 2, 12)
                        .lasting(16, 1e-9),
                stormy("pause-lead", FaultPlan.of(FaultPlan.FaultKind.LEAD_PAUSE))
                        .workers(9, 6, 3, 12),
                stormy(
                                "slow-machine",
                                FaultPlan.of(FaultPlan.FaultKind.SLOW_MACHINE).withStandbys(0))
                        .workers(9, 4, 2, 12),
                stormy("cut-lead", FaultPlan.of(FaultPlan.FaultKind.LEAD_CUT_AT_VERDICT))
                        .workers(9, 6, 3, 12),
                stormy("late-lead", FaultPlan.of(FaultPlan.FaultKind.LEAD_LATE_AT_VERDICT))
                        .workers(9, 6, 3, 12),
                stormy("crash-groups", FaultPlan.of(FaultPlan.FaultKind.STORM))
                        .workers(9, 6, 3, 4)
                        .network(rough, rough),
                stormy("storm", FaultPlan.of(FaultPlan.FaultKind.STORM).withDrift(0.01))
                        .network(rough, rough),
                stormy("pause", FaultPlan.of(FaultPlan.FaultKind.PAUSE)),
                stormy("pause-in-backup", FaultPlan.of(FaultPlan.FaultKind.PAUSE_IN_BACKUP)),
                stormy("false-verdict", FaultPlan.of(FaultPlan.FaultKind.FALSE_VERDICT)),
                stormy("partition", FaultPlan.of(FaultPlan.FaultKind.PARTITION)),
                stormy("suspend", FaultPlan.of(FaultPlan.FaultKind.SUSPEND)),
                stormy(
                                "suspend-groups",
                                FaultPlan.of(FaultPlan.FaultKind.SUSPEND).withStandbys(2))
                        .workers(9, 6, 3, 4)
                        .network(rough, rough),
                stormy("leave", FaultPlan.of(FaultPlan.FaultKind.LEAVE)),
                stormy(
                        "leave-no-standby",
                        FaultPlan.of(FaultPlan.FaultKind.LEAVE).withStandbys(0).withoutRestarts()),
                stormy("poison", FaultPlan.of(FaultPlan.FaultKind.POISON)),
                stormy("picky", FaultPlan.of(FaultPlan.FaultKind.PICKY)).workers(8, 6, 1, 32),
                stormy("tree-crash", FaultPlan.of(FaultPlan.FaultKind.ONE)).verified(),
                stormy("tree-pair", FaultPlan.of(FaultPlan.FaultKind.PAIR)).verified(),
                stormy("tree-half", FaultPlan.of(FaultPlan.FaultKind.HALF)).verified(),
                stormy("tree-pause", FaultPlan.of(FaultPlan.FaultKind.PAUSE)).verified(),
                stormy("tree-in-snapshot", FaultPlan.of(FaultPlan.FaultKind.IN_SNAPSHOT))
                        .verified(),
                stormy("tree-lead", FaultPlan.of(FaultPlan.FaultKind.LEAD)).verified(),
                stormy("tree-groups", FaultPlan.of(FaultPlan.FaultKind.TWICE).withStandbys(3))
                        .verified()
                        .workers(9, 6, 3, 4)
                        .network(rough, rough),
                inStep("synchronous-crash", FaultPlan.FaultKind.ONE),
                inStep(
                        "synchronous-crash-no-backup",
                        FaultPlan.of(FaultPlan.FaultKind.ONE).withoutBackups()),
                inStep(
                                "synchronous-late-stores",
                                FaultPlan.of(FaultPlan.FaultKind.LATE).withStores(LATE))
                        .lasting(20, 1e-12),
                inStep(
                                "synchronous-lone-groups",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(0))
                        .workers(4, 4, 4, 32)
                        .lasting(28, 1e-12),
                inStep(
                                "synchronous-crowded",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(0))
                        .workers(4, 4, 1, 32)
                        .lasting(44, 1e-12),
                inStep(
                                "synchronous-crowded-groups",
                                FaultPlan.of(FaultPlan.FaultKind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(0))
                        .workers(4, 4, 2, 32)
                        .lasting(44, 1e-12),
                inStep("synchronous-pair", FaultPlan.FaultKind.PAIR),
                inStep("synchronous-half", FaultPlan.FaultKind.HALF),
                inStep("synchronous-zone", FaultPlan.FaultKind.ZONE),
                inStep("synchronous-all", FaultPlan.FaultKind.ALL),
                inStep("synchronous-pause", FaultPlan.FaultKind.PAUSE),
                inStep("synchronous-false-verdict", FaultPlan.FaultKind.FALSE_VERDICT),
                inStep("synchronous-leave", FaultPlan.FaultKind.LEAVE),
                inStep("synchronous-in-checkpoint", FaultPlan.FaultKind.IN_CHECKPOINT),
                inStep("synchronous-in-rollback", FaultPlan.FaultKind.IN_ROLLBACK),
                inStep("synchronous-in-snapshot", FaultPlan.FaultKind.IN_SNAPSHOT),
                inStep("synchronous-twice", FaultPlan.FaultKind.TWICE),
                inStep("synchronous-spawner", FaultPlan.FaultKind.SPAWNER),
                inStep("synchronous-lead-in-snapshot", FaultPlan.FaultKind.LEAD_IN_SNAPSHOT)
                        .workers(9, 6, 3, 12),
                inStep("synchronous-all-holders-in-delivery", FaultPlan.FaultKind.HOLDERS_IN_DELIVERY)
                        .workers(9, 6, 3, 12)
                        .spooled(2),
                inStep(
                                "synchronous-groups",
                                FaultPlan.of(FaultPlan.FaultKind.TWICE)
                                        .withStandbys(3)
                                        .withDrift(0.02))
                        .workers(9, 6, 3, 4)
                        .network(rough, rough),
                inStep("synchronous-storm", FaultPlan.of(FaultPlan.FaultKind.STORM))
                        .network(rough, rough),
                stormy("anything", FaultPlan.of(FaultPlan.FaultKind.ANYTHING).withDrift(0.02))
                        .network(rough, rough)
                        .slowed(3),
                stormy(
                                "anything-groups",
                                FaultPlan.of(FaultPlan.FaultKind.ANYTHING).withStandbys(2))
                        .workers(12, 9, 3, 6)
                        .network(rough, rough));
    }

    private static Scenario inStep(String name, FaultPlan.FaultKind kind) {
        return inStep(name, FaultPlan.of(kind));
    }

    private static Scenario inStep(String name, FaultPlan chaos) {
        return stormy(name, chaos).inScheme(Scheme.SYNCHRONOUS);
    }

    private static Scenario stormy(String name, FaultPlan chaos) {
        return calm(name).workers(8, 6, 2, 32).with(chaos);
    }

    private static List<Scenario> steady() {
        NetworkModel lossy = faults(0.5, 0.2, 0, 0);
        NetworkModel wild = faults(2, 0.05, 0.1, 0.1);
        NetworkModel control = faults(1, 0.05, 0.05, 0.05);
        Optional<Duration> soon = Optional.of(Duration.ofMillis(500));
        return List.of(
                calm("calm"),
                calm("lossy").network(lossy, control),
                calm("bursts").network(faults(0.5, 0, 0, 0), NetworkModel.NONE).bursts(8),
                calm("reordered").network(wild, control).withStale(),
                calm("slow-node").slowed(5),
                calm("several-groups").workers(8, 8, 3, 3).network(faults(0.5, 0.02, 0.02, 0.02), control),
                // Answers take longer than a retry: a daemon's repeated offers and the answers to them cross.
                calm("slow-start").workers(4, 4, 2, 32).network(faults(0.5, 0, 0, 0), faults(400, 0, 0, 0)),
                calm("several-blocks").workers(9, 2, 2, 32).network(lossy, NetworkModel.NONE),
                calm("stale").withStale(),
                calm("tree").verified(),
                calm("tree-lossy").verified().network(lossy, control),
                calm("tree-bursts")
                        .verified()
                        .network(faults(0.5, 0, 0, 0), NetworkModel.NONE)
                        .bursts(8),
                calm("tree-groups-calm").verified().workers(8, 8, 3, 3).network(faults(0.5, 0.02, 0.02, 0.02), control),
                calm("synchronous").inScheme(Scheme.SYNCHRONOUS),
                calm("synchronous-lossy")
                        .inScheme(Scheme.SYNCHRONOUS)
                        .network(faults(0.5, 0.05, 0.05, 0.05), control)
                        .slowed(2),
                calm("deadline").within(1e-13, Optional.of(Duration.ofMillis(300))),
                calm("nan").broken(InjectedFault.NAN_IN_ITERATION),
                calm("nan-residual").broken(InjectedFault.NAN_IN_RESIDUAL),
                calm("cannot-open").broken(InjectedFault.CANNOT_OPEN),
                calm("cannot-store").broken(InjectedFault.CANNOT_STORE).network(lossy, control),
                calm("cannot-assemble").broken(InjectedFault.CANNOT_ASSEMBLE),
                calm("stuck-link").broken(InjectedFault.LINK_STUCK_FOR_A_WHILE).network(NetworkModel.NONE, control),
                calm("dead-link").broken(InjectedFault.LINK_STUCK_FOREVER).within(1e-5, soon),
                calm("deaf-edge").broken(InjectedFault.DEAF_EDGE).within(1e-5, Optional.of(Duration.ofMillis(1500))),
                calm("missing-daemon").broken(InjectedFault.DAEMON_MISSING));
    }

    /**
     * The scenario of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Scenario named(String name) {
        return all().stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scenario " + name + ", there are "
                        + all().stream().map(Scenario::name).toList()));
    }

    /** This, with other networks. */
    public Scenario network(NetworkModel newData, NetworkModel newControl) {
        return but(draft -> {
            draft.data = newData;
            draft.control = newControl;
        });
    }

    /** This, with halos only every {@code every} iterations. */
    public Scenario bursts(int every) {
        return but(draft -> draft.burst = every);
    }

    /** This, with a slow first daemon. */
    public Scenario slowed(double factor) {
        return but(draft -> draft.slow = factor);
    }

    /** This, with other numbers of workers. */
    public Scenario workers(int newBlocks, int newDaemons, int newSpawners, int newGroupBound) {
        return but(draft -> {
            draft.blocks = newBlocks;
            draft.daemons = newDaemons;
            draft.spawners = newSpawners;
            draft.groupBound = newGroupBound;
        });
    }

    /** This, in so many time steps. */
    public Scenario marching(int newSteps) {
        return but(draft -> draft.steps = newSteps);
    }

    /** This, where parts and results lie in this many spawners, and are lost with the last of them. */
    public Scenario spooled(int holders) {
        return but(draft -> draft.spools = holders);
    }

    /** This, with another way of failure detection. */
    public Scenario monitored(MonitoringKind newMonitoring) {
        return but(draft -> draft.monitoring = newMonitoring);
    }

    /** This, with stale messages about. */
    public Scenario withStale() {
        return but(draft -> draft.stale = true);
    }

    /** This, in another scheme. */
    public Scenario inScheme(Scheme newScheme) {
        return but(draft -> draft.scheme = newScheme);
    }

    /** Whether the problem has time steps. */
    public boolean marches() {
        return steps > 0;
    }

    /** Whether all blocks go back to a checkpoint when one has lost its daemon. */
    public boolean goesBack() {
        return scheme == Scheme.SYNCHRONOUS && steps == 0;
    }

    /** This, with the verification tree. */
    public Scenario verified() {
        return but(draft -> draft.tree = true);
    }

    /** This, with another tolerance and deadline. */
    public Scenario within(double newTolerance, Optional<Duration> newDeadline) {
        return but(draft -> {
            draft.tolerance = newTolerance;
            draft.deadline = newDeadline;
        });
    }

    /** This, with more unknowns and another tolerance, so that it takes longer. */
    private Scenario lasting(int newSide, double newTolerance) {
        return but(draft -> {
            draft.side = newSide;
            draft.tolerance = newTolerance;
        });
    }

    /** This, with a defect. */
    public Scenario broken(InjectedFault newDefect) {
        return but(draft -> draft.defect = newDefect);
    }

    /** This, where this happens to workers. */
    public Scenario with(FaultPlan newChaos) {
        return but(draft -> draft.chaos = newChaos);
    }

    private Scenario but(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.done();
    }

    /** A scenario that is being changed. */
    private static final class Draft {
        private String name;
        private int side;
        private int blocks;
        private int daemons;
        private int spawners;
        private int groupBound;
        private Scheme scheme;
        private boolean tree;
        private double tolerance;
        private NetworkModel data;
        private NetworkModel control;
        private int burst;
        private double slow;
        private boolean stale;
        private InjectedFault defect;
        private Optional<Duration> deadline;
        private FaultPlan chaos;
        private int steps;
        private int spools;
        private MonitoringKind monitoring;

        private Draft(Scenario from) {
            name = from.name;
            side = from.side;
            blocks = from.blocks;
            daemons = from.daemons;
            spawners = from.spawners;
            groupBound = from.groupBound;
            scheme = from.scheme;
            tree = from.tree;
            tolerance = from.tolerance;
            data = from.data;
            control = from.control;
            burst = from.burst;
            slow = from.slow;
            stale = from.stale;
            defect = from.defect;
            deadline = from.deadline;
            chaos = from.chaos;
            steps = from.steps;
            spools = from.spools;
            monitoring = from.monitoring;
        }

        private Scenario done() {
            return new Scenario(
                    name,
                    side,
                    blocks,
                    daemons,
                    spawners,
                    groupBound,
                    scheme,
                    tree,
                    tolerance,
                    data,
                    control,
                    burst,
                    slow,
                    stale,
                    defect,
                    deadline,
                    chaos,
                    steps,
                    spools,
                    monitoring);
        }
    }
}
