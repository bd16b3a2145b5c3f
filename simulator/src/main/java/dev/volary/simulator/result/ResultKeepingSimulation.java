// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.result;

import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import dev.volary.simulator.engine.EventQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One job from its end to the fetch of its result. Faults strike for {@link #FAULTS}; after {@link #QUIET} without any, the result must
 * be on as many spawners as at the end of the job, and a client fetches it. No spawner dies without warning unless another one
 * that stays has the result: against that no copy helps. Evictions know no such mercy.
 */
public final class ResultKeepingSimulation {
    private static final Duration FAULTS = Duration.ofMinutes(2);
    private static final Duration QUIET = Duration.ofSeconds(75);
    private static final Duration GRACE = Duration.ofSeconds(60);
    /** A holder that leaves needs no longer to see another one that stays. */
    private static final Duration NEEDLESS_WAIT = Duration.ofSeconds(10);

    private static final Duration OPERATOR_PERIOD = Duration.ofSeconds(1);
    private static final Duration SHORTEST_START = Duration.ofSeconds(3);
    private static final Duration LONGEST_START = Duration.ofSeconds(10);
    /** A name service may answer from its cache for that long. */
    private static final Duration STALE_NAMES = Duration.ofSeconds(5);

    private static final Duration LOST_MACHINE_NOTICED = Duration.ofSeconds(40);
    private static final double BROKEN_COPIES = 0.1;
    private static final double LATE_ANSWERS = 0.01;

    final EventQueue queue = new EventQueue();
    private final ResultScenario scenario;
    private final SplittableRandom random;
    private final List<SimulatedHolder> all = new ArrayList<>();
    private final List<SimulatedHolder> named = new ArrayList<>();
    /** Those that the operator takes for alive. */
    private final List<SimulatedHolder> pods = new ArrayList<>();

    private final List<String> violations = new ArrayList<>();
    private final int wanted;
    private List<WorkerId> cutOff = List.of();
    private int starting;
    private int copies;
    private long heldSince;
    private boolean over;

    private ResultKeepingSimulation(ResultScenario scenario, long seed) {
        this.scenario = scenario;
        this.random = new SplittableRandom(seed);
        this.wanted = Math.min(2, scenario.spawners());
    }

    /**
     * Runs a scenario; equal seeds give equal runs.
     *
     * @return violations of what must hold; empty if all is well
     */
    public static List<String> run(ResultScenario scenario, long seed) {
        return new ResultKeepingSimulation(scenario, seed).run();
    }

    private List<String> run() {
        for (int i = 0; i < scenario.spawners(); i++) {
            SimulatedHolder spawner = create();
            named.add(spawner);
            if (i < wanted) {
                spawner.take();
            }
        }
        every(OPERATOR_PERIOD, this::replaceLost);
        faults();
        at(FAULTS.plus(QUIET), this::fetch);
        while (!over && queue.step()) {
            checkHolders();
        }
        return List.copyOf(violations);
    }

    // ---- what the processes share ----------------------------------------------------------------------------------

    /** How many spawners shall hold the result. */
    int copies() {
        return wanted;
    }

    /** The others whose addresses a spawner knows, some of which are gone. */
    List<SimulatedHolder> named(SimulatedHolder than) {
        return named.stream().filter(other -> other != than).toList();
    }

    SimulatedHolder find(WorkerId id) {
        return all.stream().filter(one -> one.id().equals(id)).findFirst().orElseThrow();
    }

    Duration upTo(Duration most) {
        return Duration.ofNanos(1 + random.nextLong(most.toNanos()));
    }

    boolean isCut(SimulatedHolder one, SimulatedHolder other) {
        return cutOff.contains(one.id()) != cutOff.contains(other.id());
    }

    boolean isLate() {
        return scenario == ResultScenario.SILENT_MOMENTS && random.nextDouble() < LATE_ANSWERS;
    }

    boolean breaksCopy() {
        return random.nextDouble() < BROKEN_COPIES;
    }

    void copied() {
        copies++;
    }

    /** A process that was told to end was still there at the end of its grace period. */
    void killedAfterGrace(SimulatedHolder holder) {
        boolean isNeedless = all.stream().anyMatch(SimulatedHolder::staysWithResult)
                && cutOff.isEmpty()
                && queue.now() - heldSince > NEEDLESS_WAIT.toNanos();
        if (isNeedless) {
            violated(holder.member.name() + " waits until it is killed, though another spawner holds the result");
        }
    }

    // ---- the operator ----------------------------------------------------------------------------------------------

    private void replaceLost() {
        long staying = pods.stream().filter(pod -> !pod.leaves()).count();
        boolean isWorthIt = all.stream().anyMatch(SimulatedHolder::lives);
        for (long i = staying + starting; i < wanted && isWorthIt; i++) {
            start(Optional.empty());
        }
    }

    /** Starts a process that answers after a while; with the disk of another one, or with an empty one. */
    private void start(Optional<SimulatedHolder> disk) {
        starting++;
        queue.after(
                SHORTEST_START.plus(upTo(LONGEST_START.minus(SHORTEST_START))).toNanos(), () -> {
                    starting--;
                    SimulatedHolder spawner = create();
                    disk.filter(SimulatedHolder::passesDisk).ifPresent(d -> spawner.take());
                    queue.after(upTo(STALE_NAMES).toNanos(), () -> named.add(spawner));
                });
    }

    private SimulatedHolder create() {
        int number = all.size() + 1;
        SimulatedHolder spawner = new SimulatedHolder(
                new Member(
                        new WorkerId(random.nextLong() >>> 1),
                        WorkerRole.SPAWNER,
                        "s-" + number,
                        new Address("virtual", number),
                        "host-" + random.nextInt(3),
                        "z",
                        1,
                        0),
                this);
        all.add(spawner);
        pods.add(spawner);
        return spawner;
    }

    /** The operator and the name service notice that a process is gone. */
    private void noticed(SimulatedHolder gone, Duration after) {
        queue.after(upTo(after).toNanos(), () -> pods.remove(gone));
        queue.after(upTo(after).plus(upTo(STALE_NAMES)).toNanos(), () -> named.remove(gone));
    }

    // ---- faults ----------------------------------------------------------------------------------------------------

    private void faults() {
        switch (scenario) {
            case CALM, SILENT_MOMENTS -> {}
            case KILLS, KILLS_OF_MANY -> again(Duration.ofSeconds(20), this::kill);
            case EVICTIONS -> again(Duration.ofSeconds(15), this::evict);
            case EVICTIONS_AT_ONCE, ONE_SPAWNER ->
                again(
                        Duration.ofSeconds(60),
                        () -> living().forEach(spawner -> queue.after(
                                random.nextBoolean()
                                        ? 0
                                        : upTo(Duration.ofSeconds(1)).toNanos(),
                                () -> evict(spawner))));
            case EVICTION_AFTER_KILL ->
                again(Duration.ofSeconds(80), () -> {
                    kill();
                    queue.after(upTo(Duration.ofSeconds(15)).toNanos(), () -> living().forEach(this::evict));
                });
            case LOST_MACHINE ->
                again(Duration.ofSeconds(90), () -> {
                    lose();
                    queue.after(upTo(Duration.ofSeconds(50)).toNanos(), this::evict);
                });
            case RESTARTS -> again(Duration.ofSeconds(15), this::restart);
            case CUTS -> again(Duration.ofSeconds(25), this::cut);
            case STORM ->
                again(Duration.ofSeconds(8), () -> {
                    switch (random.nextInt(5)) {
                        case 0 -> kill();
                        case 1 -> evict();
                        case 2 -> restart();
                        case 3 -> cut();
                        default -> lose();
                    }
                });
        }
    }

    /** Now and then, until the time of the faults is over. */
    private void again(Duration mean, Runnable fault) {
        queue.after(upTo(mean.multipliedBy(2)).toNanos(), () -> {
            if (queue.now() < FAULTS.toNanos()) {
                fault.run();
                again(mean, fault);
            }
        });
    }

    private List<SimulatedHolder> living() {
        return all.stream().filter(SimulatedHolder::lives).toList();
    }

    /** One beside which another holder stays. */
    private Optional<SimulatedHolder> victim() {
        List<SimulatedHolder> possible = living().stream()
                .filter(spawner -> all.stream().anyMatch(other -> other != spawner && other.staysWithResult()))
                .toList();
        return possible.isEmpty() ? Optional.empty() : Optional.of(possible.get(random.nextInt(possible.size())));
    }

    private void kill() {
        kill(OPERATOR_PERIOD);
    }

    private void lose() {
        kill(LOST_MACHINE_NOTICED);
    }

    /** @param noticed longest time until the operator knows */
    private void kill(Duration noticed) {
        victim().ifPresent(spawner -> {
            spawner.die(true);
            noticed(spawner, noticed);
        });
    }

    private void evict() {
        List<SimulatedHolder> staying =
                living().stream().filter(spawner -> !spawner.leaves()).toList();
        if (!staying.isEmpty()) {
            evict(staying.get(random.nextInt(staying.size())));
        }
    }

    private void evict(SimulatedHolder spawner) {
        spawner.evict(GRACE);
        noticed(spawner, OPERATOR_PERIOD);
    }

    private void restart() {
        victim().filter(spawner -> !spawner.leaves()).ifPresent(spawner -> {
            spawner.die(false);
            pods.remove(spawner);
            queue.after(upTo(STALE_NAMES).toNanos(), () -> named.remove(spawner));
            start(Optional.of(spawner));
        });
    }

    /** One spawner and the others do not reach each other for a while. */
    private void cut() {
        List<SimulatedHolder> living = living();
        if (cutOff.isEmpty() && !living.isEmpty()) {
            cutOff = List.of(living.get(random.nextInt(living.size())).id());
            queue.after(upTo(Duration.ofSeconds(20)).toNanos(), () -> cutOff = List.of());
        }
    }

    // ---- checks ----------------------------------------------------------------------------------------------------

    private void checkHolders() {
        if (over) {
            return;
        }
        if (all.stream().noneMatch(SimulatedHolder::staysWithResult)) {
            heldSince = queue.now();
        }
        if (all.stream().noneMatch(SimulatedHolder::hasResultOnDisk)) {
            violated("no disk has the result any more");
            over = true;
        }
    }

    private void fetch() {
        long holders = all.stream().filter(SimulatedHolder::staysWithResult).count();
        if (holders < wanted) {
            violated("after %d s without a fault %d of %d spawners hold the result"
                    .formatted(QUIET.toSeconds(), holders, wanted));
        }
        boolean isQuiet = scenario == ResultScenario.CALM || scenario == ResultScenario.SILENT_MOMENTS;
        if (isQuiet && copies > 0) {
            violated("the result was copied " + copies + " times, though no spawner was lost");
        }
        living().forEach(SimulatedHolder::fetched);
        living().forEach(spawner -> spawner.evict(GRACE));
        if (!living().isEmpty()) {
            violated("spawners whose result was fetched do not end");
        }
        over = true;
    }

    private void violated(String what) {
        violations.add(scenario.label() + " at " + Duration.ofNanos(queue.now()).toMillis() + " ms: " + what);
    }

    private void at(Duration time, Runnable what) {
        queue.after(time.toNanos() - queue.now(), what);
    }

    private void every(Duration period, Runnable what) {
        queue.after(period.toNanos(), () -> {
            what.run();
            every(period, what);
        });
    }
}
