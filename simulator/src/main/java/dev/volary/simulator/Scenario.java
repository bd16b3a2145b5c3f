package dev.volary.simulator;

import dev.volary.protocol.Scheme;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A job and the world it runs in. The job solves {@link Plate}.
 *
 * @param name to be found by
 * @param side unknowns along each side of the plate
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
 * @param stale old incarnations' halos and wrongly labelled recorded halos are about
 * @param defect what is broken
 * @param deadline of the job
 * @param chaos what happens to workers
 * @param steps in time; 0 for the stationary problem
 * @param spools spawners that hold each part and the result; 0 for a volume that outlives all workers
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
        Faults data,
        Faults control,
        int burst,
        double slow,
        boolean stale,
        Defect defect,
        Optional<Duration> deadline,
        Chaos chaos,
        int steps,
        int spools) {

    /** What is broken in a scenario. */
    public enum Defect {
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
                Faults.NONE,
                Faults.NONE,
                1,
                1,
                false,
                Defect.NONE,
                Optional.empty(),
                Chaos.NONE,
                0,
                0);
    }

    private static Faults faults(double jitterMillis, double loss, double duplication, double straggle) {
        return new Faults(
                Duration.ofNanos(200_000), Duration.ofNanos((long) (jitterMillis * 1e6)), loss, duplication, straggle);
    }

    /** Daemons that are to compute once all are there. */
    int wanted() {
        return chaos.kind() == Chaos.Kind.JOIN ? daemons + chaos.standbys() : daemons;
    }

    /** The scenarios of the build. */
    public static List<Scenario> all() {
        return Stream.of(steady(), perturbed(), marching())
                .flatMap(List::stream)
                .toList();
    }

    /** Those that march in time. */
    private static List<Scenario> marching() {
        Faults rough = faults(0.5, 0.05, 0.02, 0.02);
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
                stormy("steps-tree-crash", Chaos.of(Chaos.Kind.ONE)).marching(3).verified(),
                stormy("steps-synchronous-crash", Chaos.of(Chaos.Kind.ONE))
                        .marching(3)
                        .inScheme(Scheme.SYNCHRONOUS),
                stormy("steps-crash-in-commit", Chaos.of(Chaos.Kind.IN_COMMIT)).marching(3),
                stormy(
                                "steps-crash-in-commit-no-backup",
                                Chaos.of(Chaos.Kind.IN_COMMIT).withoutBackups())
                        .marching(3),
                stormy("steps-crash-holder-in-commit", Chaos.of(Chaos.Kind.HOLDER_IN_COMMIT))
                        .marching(3)
                        .network(rough, rough),
                stormy("steps-crash-lead-in-commit", Chaos.of(Chaos.Kind.LEAD_IN_COMMIT))
                        .marching(3)
                        .workers(9, 6, 3, 12),
                stormy("steps-crash-lead-in-commit-groups", Chaos.of(Chaos.Kind.LEAD_IN_COMMIT))
                        .marching(3)
                        .workers(9, 9, 3, 4),
                stormy("steps-crash-lead-in-commit-spooled", Chaos.of(Chaos.Kind.LEAD_IN_COMMIT))
                        .marching(3)
                        .workers(9, 6, 3, 12)
                        .spooled(2),
                stormy("steps-crash-in-commit-spooled", Chaos.of(Chaos.Kind.IN_COMMIT))
                        .marching(3)
                        .spooled(1),
                stormy("steps-all-holders-in-delivery", Chaos.of(Chaos.Kind.HOLDERS_IN_DELIVERY))
                        .marching(3)
                        .workers(9, 6, 3, 12)
                        .spooled(2),
                stormy("steps-crash-all", Chaos.of(Chaos.Kind.ALL)).marching(3),
                stormy("steps-suspend", Chaos.of(Chaos.Kind.SUSPEND)).marching(3),
                stormy("steps-storm", Chaos.of(Chaos.Kind.STORM).withDrift(0.01))
                        .marching(3)
                        .network(rough, rough),
                stormy("steps-anything", Chaos.of(Chaos.Kind.ANYTHING).withDrift(0.02))
                        .marching(3)
                        .network(rough, rough)
                        .slowed(3));
    }

    /** Those in which workers come and go. */
    static List<Scenario> perturbed() {
        Faults rough = faults(0.5, 0.05, 0.02, 0.02);
        return List.of(
                stormy("crash", Chaos.of(Chaos.Kind.ONE)),
                stormy(
                        "crash-no-standby",
                        Chaos.of(Chaos.Kind.ONE).withStandbys(0).withoutRestarts()),
                stormy("crash-no-backup", Chaos.of(Chaos.Kind.ONE).withoutBackups()),
                // A new process is quicker there than real ones, and would begin anew, for its store is cold.
                stormy(
                                "crash-late-stores",
                                Chaos.of(Chaos.Kind.LATE).withStores(LATE).withoutRestarts())
                        .lasting(24, 1e-12),
                stormy(
                                "crash-cold-standby",
                                Chaos.of(Chaos.Kind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(2)
                                        .withoutRestarts())
                        .workers(4, 4, 1, 32)
                        .broken(Defect.COLD_STORE)
                        .lasting(24, 1e-12),
                stormy(
                                "crash-crowded",
                                Chaos.of(Chaos.Kind.LATE).withStores(LATE).withStandbys(0))
                        .workers(4, 4, 1, 32)
                        .lasting(24, 1e-12),
                stormy(
                                "crash-all-crowded",
                                Chaos.of(Chaos.Kind.ALL).withStores(LATE).withStandbys(0))
                        .workers(4, 4, 2, 32)
                        .lasting(36, 1e-12),
                stormy(
                                "late-daemons",
                                Chaos.of(Chaos.Kind.JOIN).withStores(LATE).withStandbys(4))
                        .workers(8, 4, 2, 32)
                        .lasting(36, 1e-12),
                stormy("scaled-up", Chaos.of(Chaos.Kind.SCALE).withStores(LATE).withStandbys(4))
                        .workers(8, 4, 2, 32)
                        .lasting(36, 1e-12),
                stormy(
                                "crash-lone-groups",
                                Chaos.of(Chaos.Kind.LATE)
                                        .withStores(LATE)
                                        .withStandbys(0)
                                        .withoutRestarts())
                        .workers(4, 4, 4, 32)
                        .lasting(24, 1e-12),
                stormy("crash-pair", Chaos.of(Chaos.Kind.PAIR)),
                stormy("crash-holder", Chaos.of(Chaos.Kind.OWNER_AND_HOLDER)),
                stormy(
                                "crash-slow-holders",
                                Chaos.of(Chaos.Kind.LATE).withStores(LATE).withoutRestarts())
                        .broken(Defect.SLOW_HOLDERS)
                        .workers(12, 4, 1, 32)
                        .lasting(24, 1e-12),
                stormy("crash-half", Chaos.of(Chaos.Kind.HALF)),
                stormy("crash-zone", Chaos.of(Chaos.Kind.ZONE).withDrift(0.05)),
                stormy("crash-all", Chaos.of(Chaos.Kind.ALL)),
                stormy("crash-in-snapshot", Chaos.of(Chaos.Kind.IN_SNAPSHOT)),
                stormy(
                                "crash-in-snapshot-groups",
                                Chaos.of(Chaos.Kind.IN_SNAPSHOT).withStandbys(3))
                        .workers(9, 6, 3, 4),
                stormy("crash-spawner", Chaos.of(Chaos.Kind.SPAWNER)),
                stormy("crash-spawner-of-three", Chaos.of(Chaos.Kind.SPAWNER)).workers(9, 6, 3, 12),
                stormy("crash-lead", Chaos.of(Chaos.Kind.LEAD)),
                stormy("crash-lead-in-snapshot", Chaos.of(Chaos.Kind.LEAD_IN_SNAPSHOT))
                        .workers(9, 6, 3, 12),
                stormy("crash-lead-at-message", Chaos.of(Chaos.Kind.LEAD_AT_MESSAGE))
                        .workers(9, 6, 3, 12),
                stormy("crash-lead-at-message-of-two", Chaos.of(Chaos.Kind.LEAD_AT_MESSAGE)),
                stormy("crash-lead-in-delivery", Chaos.of(Chaos.Kind.LEAD_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .spooled(2),
                stormy("crash-lead-in-delivery-of-two", Chaos.of(Chaos.Kind.LEAD_IN_DELIVERY))
                        .spooled(2),
                stormy("crash-lead-with-the-only-parts", Chaos.of(Chaos.Kind.LEAD_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .spooled(1),
                stormy("crash-all-holders-in-delivery", Chaos.of(Chaos.Kind.HOLDERS_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .spooled(2)
                        .network(rough, rough),
                stormy("tree-all-holders-in-delivery", Chaos.of(Chaos.Kind.HOLDERS_IN_DELIVERY))
                        .verified()
                        .workers(9, 6, 3, 12)
                        .spooled(2),
                stormy("cut-lead-in-delivery", Chaos.of(Chaos.Kind.LEAD_CUT_IN_DELIVERY))
                        .workers(9, 6, 3, 12)
                        .spooled(1),
                stormy("crash-all-spawners", Chaos.of(Chaos.Kind.ALL_SPAWNERS)),
                stormy("crash-spawner-and-successor", Chaos.of(Chaos.Kind.SPAWNER_AND_SUCCESSOR))
                        .workers(9, 6, 3, 12),
                stormy(
                                "crash-spawner-and-daemon",
                                Chaos.of(Chaos.Kind.SPAWNER_AND_DAEMON).withDrift(0.02))
                        .workers(9, 6, 3, 12)
                        .network(rough, rough),
                stormy("power-off", Chaos.of(Chaos.Kind.SITE)).workers(9, 6, 2, 12),
                stormy(
                                "power-off-no-standby",
                                Chaos.of(Chaos.Kind.SITE).withStandbys(0).withoutRestarts())
                        .workers(9, 6, 2, 12),
                stormy("cut-machine", Chaos.of(Chaos.Kind.CUT_MACHINE))
                        .workers(9, 6, 2, 12)
                        .lasting(16, 1e-9),
                stormy("pause-lead", Chaos.of(Chaos.Kind.LEAD_PAUSE)).workers(9, 6, 3, 12),
                stormy("slow-machine", Chaos.of(Chaos.Kind.SLOW_MACHINE).withStandbys(0))
                        .workers(9, 4, 2, 12),
                stormy("cut-lead", Chaos.of(Chaos.Kind.LEAD_CUT_AT_VERDICT)).workers(9, 6, 3, 12),
                stormy("late-lead", Chaos.of(Chaos.Kind.LEAD_LATE_AT_VERDICT)).workers(9, 6, 3, 12),
                stormy("crash-groups", Chaos.of(Chaos.Kind.STORM))
                        .workers(9, 6, 3, 4)
                        .network(rough, rough),
                stormy("storm", Chaos.of(Chaos.Kind.STORM).withDrift(0.01)).network(rough, rough),
                stormy("pause", Chaos.of(Chaos.Kind.PAUSE)),
                stormy("pause-in-backup", Chaos.of(Chaos.Kind.PAUSE_IN_BACKUP)),
                stormy("false-verdict", Chaos.of(Chaos.Kind.FALSE_VERDICT)),
                stormy("partition", Chaos.of(Chaos.Kind.PARTITION)),
                stormy("suspend", Chaos.of(Chaos.Kind.SUSPEND)),
                stormy("suspend-groups", Chaos.of(Chaos.Kind.SUSPEND).withStandbys(2))
                        .workers(9, 6, 3, 4)
                        .network(rough, rough),
                stormy("leave", Chaos.of(Chaos.Kind.LEAVE)),
                stormy(
                        "leave-no-standby",
                        Chaos.of(Chaos.Kind.LEAVE).withStandbys(0).withoutRestarts()),
                stormy("poison", Chaos.of(Chaos.Kind.POISON)),
                stormy("picky", Chaos.of(Chaos.Kind.PICKY)).workers(8, 6, 1, 32),
                stormy("tree-crash", Chaos.of(Chaos.Kind.ONE)).verified(),
                stormy("tree-pair", Chaos.of(Chaos.Kind.PAIR)).verified(),
                stormy("tree-half", Chaos.of(Chaos.Kind.HALF)).verified(),
                stormy("tree-pause", Chaos.of(Chaos.Kind.PAUSE)).verified(),
                stormy("tree-in-snapshot", Chaos.of(Chaos.Kind.IN_SNAPSHOT)).verified(),
                stormy("tree-lead", Chaos.of(Chaos.Kind.LEAD)).verified(),
                stormy("tree-groups", Chaos.of(Chaos.Kind.TWICE).withStandbys(3))
                        .verified()
                        .workers(9, 6, 3, 4)
                        .network(rough, rough),
                inStep("synchronous-crash", Chaos.Kind.ONE),
                inStep("synchronous-crash-no-backup", Chaos.of(Chaos.Kind.ONE).withoutBackups()),
                inStep("synchronous-late-stores", Chaos.of(Chaos.Kind.LATE).withStores(LATE))
                        .lasting(20, 1e-12),
                inStep(
                                "synchronous-lone-groups",
                                Chaos.of(Chaos.Kind.LATE).withStores(LATE).withStandbys(0))
                        .workers(4, 4, 4, 32)
                        .lasting(28, 1e-12),
                inStep(
                                "synchronous-crowded",
                                Chaos.of(Chaos.Kind.LATE).withStores(LATE).withStandbys(0))
                        .workers(4, 4, 1, 32)
                        .lasting(44, 1e-12),
                inStep(
                                "synchronous-crowded-groups",
                                Chaos.of(Chaos.Kind.LATE).withStores(LATE).withStandbys(0))
                        .workers(4, 4, 2, 32)
                        .lasting(44, 1e-12),
                inStep("synchronous-pair", Chaos.Kind.PAIR),
                inStep("synchronous-half", Chaos.Kind.HALF),
                inStep("synchronous-zone", Chaos.Kind.ZONE),
                inStep("synchronous-all", Chaos.Kind.ALL),
                inStep("synchronous-pause", Chaos.Kind.PAUSE),
                inStep("synchronous-false-verdict", Chaos.Kind.FALSE_VERDICT),
                inStep("synchronous-leave", Chaos.Kind.LEAVE),
                inStep("synchronous-in-checkpoint", Chaos.Kind.IN_CHECKPOINT),
                inStep("synchronous-in-rollback", Chaos.Kind.IN_ROLLBACK),
                inStep("synchronous-in-snapshot", Chaos.Kind.IN_SNAPSHOT),
                inStep("synchronous-twice", Chaos.Kind.TWICE),
                inStep("synchronous-spawner", Chaos.Kind.SPAWNER),
                inStep("synchronous-lead-in-snapshot", Chaos.Kind.LEAD_IN_SNAPSHOT)
                        .workers(9, 6, 3, 12),
                inStep("synchronous-all-holders-in-delivery", Chaos.Kind.HOLDERS_IN_DELIVERY)
                        .workers(9, 6, 3, 12)
                        .spooled(2),
                inStep(
                                "synchronous-groups",
                                Chaos.of(Chaos.Kind.TWICE).withStandbys(3).withDrift(0.02))
                        .workers(9, 6, 3, 4)
                        .network(rough, rough),
                inStep("synchronous-storm", Chaos.of(Chaos.Kind.STORM)).network(rough, rough),
                stormy("anything", Chaos.of(Chaos.Kind.ANYTHING).withDrift(0.02))
                        .network(rough, rough)
                        .slowed(3),
                stormy("anything-groups", Chaos.of(Chaos.Kind.ANYTHING).withStandbys(2))
                        .workers(12, 9, 3, 6)
                        .network(rough, rough));
    }

    private static Scenario inStep(String name, Chaos.Kind kind) {
        return inStep(name, Chaos.of(kind));
    }

    private static Scenario inStep(String name, Chaos chaos) {
        return stormy(name, chaos).inScheme(Scheme.SYNCHRONOUS);
    }

    private static Scenario stormy(String name, Chaos chaos) {
        return calm(name).workers(8, 6, 2, 32).with(chaos);
    }

    private static List<Scenario> steady() {
        Faults lossy = faults(0.5, 0.2, 0, 0);
        Faults wild = faults(2, 0.05, 0.1, 0.1);
        Faults control = faults(1, 0.05, 0.05, 0.05);
        Optional<Duration> soon = Optional.of(Duration.ofMillis(500));
        return List.of(
                calm("calm"),
                calm("lossy").network(lossy, control),
                calm("bursts").network(faults(0.5, 0, 0, 0), Faults.NONE).bursts(8),
                calm("reordered").network(wild, control).withStale(),
                calm("slow-node").slowed(5),
                calm("several-groups").workers(8, 8, 3, 3).network(faults(0.5, 0.02, 0.02, 0.02), control),
                // Answers take longer than a retry: a daemon's repeated offers and the answers to them cross.
                calm("slow-start").workers(4, 4, 2, 32).network(faults(0.5, 0, 0, 0), faults(400, 0, 0, 0)),
                calm("several-blocks").workers(9, 2, 2, 32).network(lossy, Faults.NONE),
                calm("stale").withStale(),
                calm("tree").verified(),
                calm("tree-lossy").verified().network(lossy, control),
                calm("tree-bursts")
                        .verified()
                        .network(faults(0.5, 0, 0, 0), Faults.NONE)
                        .bursts(8),
                calm("tree-groups-calm").verified().workers(8, 8, 3, 3).network(faults(0.5, 0.02, 0.02, 0.02), control),
                calm("synchronous").inScheme(Scheme.SYNCHRONOUS),
                calm("synchronous-lossy")
                        .inScheme(Scheme.SYNCHRONOUS)
                        .network(faults(0.5, 0.05, 0.05, 0.05), control)
                        .slowed(2),
                calm("deadline").within(1e-13, Optional.of(Duration.ofMillis(300))),
                calm("nan").broken(Defect.NAN_IN_ITERATION),
                calm("nan-residual").broken(Defect.NAN_IN_RESIDUAL),
                calm("cannot-open").broken(Defect.CANNOT_OPEN),
                calm("cannot-store").broken(Defect.CANNOT_STORE).network(lossy, control),
                calm("cannot-assemble").broken(Defect.CANNOT_ASSEMBLE),
                calm("stuck-link").broken(Defect.LINK_STUCK_FOR_A_WHILE).network(Faults.NONE, control),
                calm("dead-link").broken(Defect.LINK_STUCK_FOREVER).within(1e-5, soon),
                calm("deaf-edge").broken(Defect.DEAF_EDGE).within(1e-5, Optional.of(Duration.ofMillis(1500))),
                calm("missing-daemon").broken(Defect.DAEMON_MISSING));
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
    public Scenario network(Faults newData, Faults newControl) {
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

    /** This, with stale messages about. */
    public Scenario withStale() {
        return but(draft -> draft.stale = true);
    }

    /** This, in another scheme. */
    public Scenario inScheme(Scheme newScheme) {
        return but(draft -> draft.scheme = newScheme);
    }

    /** Whether the problem has time steps. */
    boolean marches() {
        return steps > 0;
    }

    /** Whether all blocks go back to a checkpoint when one has lost its daemon. */
    boolean goesBack() {
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
    public Scenario broken(Defect newDefect) {
        return but(draft -> draft.defect = newDefect);
    }

    /** This, where this happens to workers. */
    public Scenario with(Chaos newChaos) {
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
        private Faults data;
        private Faults control;
        private int burst;
        private double slow;
        private boolean stale;
        private Defect defect;
        private Optional<Duration> deadline;
        private Chaos chaos;
        private int steps;
        private int spools;

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
                    spools);
        }
    }
}
