package dev.volary.simulator;

import dev.volary.protocol.JobShape;
import dev.volary.protocol.Scheme;
import dev.volary.protocol.daemon.BackupRule;
import dev.volary.protocol.daemon.DaemonConfig;
import dev.volary.protocol.snapshot.SnapshotConfig;
import dev.volary.protocol.spawner.JobConfig;
import dev.volary.protocol.spawner.Recovery;
import dev.volary.protocol.watch.WatchConfig;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One job in one world, from start to end, in virtual time. The same scenario and seed give the same run. */
public final class Simulation {
    /** No job may take longer than this. */
    private static final long LIMIT_NANOS = 60_000_000_000L;
    /** After the outcome, daemons must stop within this time. */
    private static final long STOP_NANOS = 10_000_000_000L;

    private static final long MOST_EVENTS = 3_000_000;
    private static final long START_NANOS = 20_000_000;
    static final long BACKUP_EVERY = 10;
    private static final int MANY_ATTEMPTS = 10;
    private static final Duration RETRY = Duration.ofMillis(50);

    private final Scenario scenario;
    private final long seed;
    private final Wiring wiring;

    private Simulation(Scenario scenario, long seed, Wiring wiring) {
        this.scenario = scenario;
        this.seed = seed;
        this.wiring = wiring;
    }

    /** A run of a scenario. */
    public static Simulation of(Scenario scenario, long seed) {
        return of(scenario, seed, new Wiring());
    }

    static Simulation of(Scenario scenario, long seed, Wiring wiring) {
        return new Simulation(scenario, seed, wiring);
    }

    /** Runs to the end, or to the first violation, and judges. */
    public Report run() {
        World world = build();
        if (scenario.stale()) {
            world.haunt();
        }
        long endedAt = 0;
        boolean rest = false;
        while (!rest && world.agenda.step()) {
            if (world.judge.ended() && endedAt == 0) {
                endedAt = world.agenda.now();
            }
            rest = (endedAt > 0 && allStopped(world))
                    || world.judge.foundAnything()
                    || world.agenda.now() > (endedAt > 0 ? endedAt + STOP_NANOS : LIMIT_NANOS)
                    || world.agenda.done() > MOST_EVENTS;
        }
        if (!world.judge.foundAnything() && world.judge.ended() && !allStopped(world)) {
            world.judge.violated(computing(world) + " daemons did not stop");
        }
        return world.judge.report(seed, endedAt, world.agenda.done());
    }

    private boolean allStopped(World world) {
        int unreachable =
                switch (scenario.defect()) {
                    case LINK_STUCK_FOREVER, DAEMON_MISSING -> 1;
                    default -> 0;
                };
        return computing(world) <= unreachable;
    }

    private static long computing(World world) {
        return world.daemons().stream().filter(daemon -> !daemon.stopped()).count();
    }

    private World build() {
        Plate model = new Plate(scenario.side(), scenario.steps());
        Decomposition decomposition;
        try {
            decomposition = model.decompose(scenario.blocks());
        } catch (InvalidProblem e) {
            throw new IllegalArgumentException(e);
        }
        World world = new World(scenario, seed, model, decomposition, wiring);
        Workers workers = new Workers(world, shape(decomposition, model.steps()), job(model), daemon());
        List<SimulatedSpawner> spawners = new ArrayList<>();
        for (int i = 0; i < scenario.spawners(); i++) {
            spawners.add(workers.spawner());
        }
        List<SimulatedDaemon> daemons = new ArrayList<>();
        for (int i = 0; i < scenario.daemons() + scenario.chaos().standbys(); i++) {
            daemons.add(workers.daemon());
        }
        spawners.forEach(spawner -> workers.start(spawner, START_NANOS));
        boolean missing = scenario.defect() == Scenario.Defect.DAEMON_MISSING;
        daemons.subList(missing ? 1 : 0, daemons.size()).forEach(daemon -> workers.start(daemon, START_NANOS));
        Perturbator perturbator = new Perturbator(world, workers);
        world.perturbedBy(perturbator);
        perturbator.plan();
        return world;
    }

    private JobConfig job(Plate model) {
        // Daemons that die ten times as fast as blocks start would make every block look guilty.
        int attempts =
                switch (scenario.chaos().kind()) {
                    case POISON, PICKY -> 3;
                    default -> MANY_ATTEMPTS;
                };
        SnapshotConfig snapshots = SnapshotConfig.of(scenario.tolerance() * model.scale());
        return new JobConfig(
                scenario.daemons(),
                scenario.daemons(),
                scenario.spawners(),
                Duration.ofSeconds(5),
                scenario.groupBound(),
                RETRY,
                Duration.ofMillis(10),
                scenario.tree() ? snapshots.waitingToBeTold() : snapshots,
                scenario.deadline(),
                Duration.ofSeconds(1),
                new Recovery(scenario.scheme() == Scheme.ASYNCHRONOUS, attempts, Duration.ofSeconds(5)),
                watch());
    }

    /** Where workers come and go, time-outs are as short as the jobs. */
    private WatchConfig watch() {
        return scenario.chaos().kind() == Chaos.Kind.NONE
                ? WatchConfig.standard()
                : WatchConfig.confirmed(2, Chaos.TIMEOUT);
    }

    private DaemonConfig daemon() {
        BackupRule backups = backups(scenario.chaos());
        DaemonConfig config = new DaemonConfig(scenario.scheme(), RETRY, Duration.ofMillis(500), backups, watch());
        return scenario.tree() ? config.withTree(wiring.tree()) : config;
    }

    private static BackupRule backups(Chaos chaos) {
        if (!chaos.backups()) {
            return BackupRule.NONE;
        }
        return chaos.stores()
                .map(after -> new BackupRule(0, 2).opening(after))
                .orElseGet(() -> new BackupRule(BACKUP_EVERY, 2));
    }

    private static JobShape shape(Decomposition decomposition, int steps) {
        List<JobShape.BlockShape> blocks = new ArrayList<>();
        for (int b = 0; b < decomposition.blocks(); b++) {
            blocks.add(new JobShape.BlockShape(
                    decomposition.incoming(b).stream().map(Edge::from).sorted().toList(),
                    decomposition.outgoing(b).stream().map(Edge::to).sorted().toList(),
                    decomposition.parts().get(b).bytes(),
                    decomposition.parts().get(b).work()));
        }
        return new JobShape(blocks, steps);
    }
}
