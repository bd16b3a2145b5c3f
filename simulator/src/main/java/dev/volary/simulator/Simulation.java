package dev.volary.simulator;

import dev.volary.protocol.Address;
import dev.volary.protocol.Event;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Member;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Role;
import dev.volary.protocol.daemon.DaemonConfig;
import dev.volary.protocol.daemon.DaemonMachine;
import dev.volary.protocol.snapshot.SnapshotConfig;
import dev.volary.protocol.spawner.JobConfig;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One job in one world, from start to end, in virtual time. The same scenario and seed give the same run. */
public final class Simulation {
    /** No job may take longer than this. */
    private static final long LIMIT_NANOS = 60_000_000_000L;
    /** After the outcome, daemons must stop within this time. */
    private static final long STOP_NANOS = 10_000_000_000L;

    private static final long MOST_EVENTS = 3_000_000;
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
            world.judge.violated("only " + world.judge.stoppedDaemons() + " daemons stopped");
        }
        return world.judge.report(seed, endedAt, world.agenda.done());
    }

    private boolean allStopped(World world) {
        int unreachable =
                switch (scenario.defect()) {
                    case LINK_STUCK_FOREVER, DAEMON_MISSING -> 1;
                    default -> 0;
                };
        return world.judge.stoppedDaemons() >= scenario.daemons() - unreachable;
    }

    private World build() {
        Plate model = new Plate(scenario.side());
        Decomposition decomposition;
        try {
            decomposition = model.decompose(scenario.blocks());
        } catch (InvalidProblem e) {
            throw new IllegalArgumentException(e);
        }
        World world = new World(scenario, seed, model, decomposition, wiring);
        JobShape shape = shape(decomposition);
        List<SimulatedSpawner> spawners = new ArrayList<>();
        for (int i = 0; i < scenario.spawners(); i++) {
            Member member = member(world, Role.SPAWNER, i);
            spawners.add(new SimulatedSpawner(
                    member, world, wiring.spawner(member, shape, job(model), world.random.nextLong())));
        }
        List<SimulatedDaemon> daemons = new ArrayList<>();
        DaemonConfig config = new DaemonConfig(scenario.scheme(), RETRY, Duration.ofMillis(500));
        for (int i = 0; i < scenario.daemons(); i++) {
            Member member = member(world, Role.DAEMON, i);
            DaemonMachine machine = new DaemonMachine(member, shape, config, world.random.nextLong());
            daemons.add(new SimulatedDaemon(member, world, machine, i == 0 ? scenario.slow() : 1));
        }
        spawners.forEach(spawner -> world.nodes.put(spawner.member.id(), spawner));
        daemons.forEach(daemon -> world.nodes.put(daemon.member.id(), daemon));
        List<Member> found = spawners.stream().map(spawner -> spawner.member).toList();
        for (SimulatedSpawner spawner : spawners) {
            world.agenda.after(world.random.nextLong(20_000_000), () -> spawner.handle(new Event.SpawnersFound(found)));
        }
        boolean missing = scenario.defect() == Scenario.Defect.DAEMON_MISSING;
        for (SimulatedDaemon daemon : daemons.subList(missing ? 1 : 0, daemons.size())) {
            world.agenda.after(world.random.nextLong(20_000_000), () -> {
                daemon.handle(new Event.SpawnersFound(found));
                daemon.start();
            });
        }
        return world;
    }

    private JobConfig job(Plate model) {
        return new JobConfig(
                scenario.daemons(),
                scenario.daemons(),
                scenario.spawners(),
                Duration.ofSeconds(5),
                scenario.groupBound(),
                RETRY,
                Duration.ofMillis(10),
                SnapshotConfig.of(scenario.tolerance() * model.scale()),
                scenario.deadline(),
                Duration.ofSeconds(1));
    }

    /** Ids of daemons are below those of spawners, so that {@link World#isCutOff} names a daemon. */
    private static Member member(World world, Role role, int number) {
        long base = role == Role.DAEMON ? 1L << 20 : 1L << 40;
        NodeId id = new NodeId(base + ((long) number << 10) + world.random.nextInt(1000));
        String name = role.name().toLowerCase(Locale.ROOT) + "-" + number;
        return new Member(id, role, name, new Address("virtual", 1 + number), "", 1, 1L << 30);
    }

    private static JobShape shape(Decomposition decomposition) {
        List<JobShape.BlockShape> blocks = new ArrayList<>();
        for (int b = 0; b < decomposition.blocks(); b++) {
            blocks.add(new JobShape.BlockShape(
                    decomposition.incoming(b).stream().map(Edge::from).sorted().toList(),
                    decomposition.outgoing(b).stream().map(Edge::to).sorted().toList(),
                    decomposition.parts().get(b).bytes(),
                    decomposition.parts().get(b).work()));
        }
        return new JobShape(blocks);
    }
}
