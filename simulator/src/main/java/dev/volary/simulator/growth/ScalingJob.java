// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.growth;

import dev.volary.protocol.Action;
import dev.volary.protocol.Address;
import dev.volary.protocol.Event;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.JobGraph;
import dev.volary.protocol.LeaderElectionRecord;
import dev.volary.protocol.Machine;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.Message.BlockProgress;
import dev.volary.protocol.PartialResidual;
import dev.volary.protocol.RecordedBlock;
import dev.volary.protocol.Scheme;
import dev.volary.protocol.Turn;
import dev.volary.protocol.WorkerId;
import dev.volary.protocol.WorkerRole;
import dev.volary.protocol.daemon.DaemonConfig;
import dev.volary.protocol.daemon.DaemonMachine;
import dev.volary.protocol.spawner.RecoveryPolicy;
import dev.volary.protocol.spawner.SpawnerConfig;
import dev.volary.protocol.spawner.SpawnerMachine;
import dev.volary.protocol.watch.FailureDetectorConfig;
import dev.volary.simulator.EventQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A job of many daemons, each with one block of a square grid of blocks, in groups of at most 32 with a standby for each: the
 * machines of all workers, and messages that take a while. Blocks compute nothing, and their residual never falls; opening a
 * block and evaluating a part take a given time.
 */
final class ScalingJob {
    /** Daemons of a group that compute; its standby comes on top. */
    static final int COMPUTING = 31;

    private static final long DELAY = 200_000;
    private static final long SPREAD = 100_000;
    private static final long OPENING = 20_000_000;
    private static final long EVALUATING = 2_000_000;
    private static final long SAMPLE = Duration.ofMillis(500).toNanos();
    private static final long RETRY = Duration.ofMillis(200).toNanos();
    private static final int ZONES = 3;

    final EventQueue agenda = new EventQueue();
    private final SplittableRandom random;
    private final JobGraph shape;
    private final Map<WorkerId, Worker> workers = new HashMap<>();
    private final List<Worker> daemons = new ArrayList<>();
    private final List<Member> spawners = new ArrayList<>();
    private LeaderElectionRecord arbiter = LeaderElectionRecord.EMPTY;

    /** Latencies of closed snapshots, in nanoseconds. */
    final List<Long> snapshots = new ArrayList<>();
    /** From a death to the verdict, in nanoseconds. */
    final List<Long> detections = new ArrayList<>();
    /** From a death to its block's start elsewhere, in nanoseconds. */
    final List<Long> replacements = new ArrayList<>();

    private final Map<WorkerId, Long> diedAt = new HashMap<>();
    private final Map<Integer, Long> lostAt = new HashMap<>();
    private final Map<Integer, Worker> owners = new HashMap<>();
    private boolean allIterate;

    /** A worker and its clockwork. */
    final class Worker {
        final Member member;
        final Machine machine;
        final Map<Integer, Incarnation> open = new HashMap<>();
        private long wakeUp = Long.MAX_VALUE;
        private boolean isDead;
        long sent;

        Worker(Member member, Machine machine) {
            this.member = member;
            this.machine = machine;
        }

        void handle(Event event) {
            if (isDead) {
                return;
            }
            Turn turn = new Turn(agenda.now());
            machine.on(event, turn);
            turn.actions().forEach(action -> perform(this, action));
            if (turn.wakeUp() < wakeUp) {
                wakeUp = turn.wakeUp();
                long at = wakeUp;
                agenda.after(at - agenda.now(), () -> {
                    if (wakeUp == at) {
                        wakeUp = Long.MAX_VALUE;
                        handle(new Event.Tick());
                    }
                });
            }
        }

        private void later(long delay, Event event) {
            agenda.after(delay, () -> handle(event));
        }

        private void sample() {
            // All samples differ, as those of blocks that iterate do.
            long iteration = agenda.now() / 1_000_000;
            handle(new Event.ProgressSampled(
                    open.entrySet().stream()
                            .map(block ->
                                    new BlockProgress(block.getKey(), block.getValue(), iteration, iteration, 1, 0, 0))
                            .toList(),
                    Set.of()));
            agenda.after(SAMPLE, this::sample);
        }
    }

    /**
     * Starts the workers of a job.
     *
     * @param count daemons that compute
     */
    ScalingJob(int count, long seed) {
        this.random = new SplittableRandom(seed);
        this.shape = grid(count);
        int groups = Math.ceilDiv(count, COMPUTING);
        int all = count + groups;
        SpawnerConfig job = SpawnerConfig.of(
                        all, groups, 1e-9, Duration.ofSeconds(60), Optional.empty(), RecoveryPolicy.STANDARD)
                .withWatch(FailureDetectorConfig.standard());
        for (int i = 0; i < groups; i++) {
            Member member = member(WorkerRole.SPAWNER, i);
            spawners.add(member);
            workers.put(member.id(), new Worker(member, new SpawnerMachine(member, shape, job, random.nextLong())));
        }
        for (int i = 0; i < all; i++) {
            Member member = member(WorkerRole.DAEMON, i);
            Worker worker = new Worker(
                    member, new DaemonMachine(member, shape, DaemonConfig.of(Scheme.ASYNCHRONOUS), random.nextLong()));
            workers.put(member.id(), worker);
            daemons.add(worker);
        }
        for (Worker worker : workers.values()) {
            worker.later(random.nextLong(RETRY), new Event.SpawnersFound(spawners));
        }
        daemons.forEach(worker -> agenda.after(random.nextLong(SAMPLE), worker::sample));
    }

    private Member member(WorkerRole role, int number) {
        long base = role == WorkerRole.DAEMON ? 1L << 40 : 1L << 20;
        return new Member(
                new WorkerId(base + number),
                role,
                role.name() + "-" + number,
                new Address("virtual", 1 + number % 60_000),
                "virtual",
                "zone-" + number % ZONES,
                1,
                1L << 30);
    }

    /** Blocks in rows, each next to those beside, above and below it. */
    private static JobGraph grid(int count) {
        int width = (int) Math.ceil(Math.sqrt(count));
        return new JobGraph(IntStream.range(0, count)
                .mapToObj(block -> {
                    List<Integer> near = new ArrayList<>();
                    for (int other : new int[] {block - width, block - 1, block + 1, block + width}) {
                        boolean sameRow = other / width == block / width;
                        boolean sameColumn = Math.abs(other - block) == width;
                        if (other >= 0 && other < count && (sameRow || sameColumn)) {
                            near.add(other);
                        }
                    }
                    return new JobGraph.BlockShape(near, near, 1 << 20, 1);
                })
                .toList());
    }

    private long delay() {
        return DELAY + random.nextLong(SPREAD);
    }

    private void perform(Worker by, Action action) {
        switch (action) {
            case Action.Send(WorkerId to, Message message) -> {
                by.sent++;
                Worker other = workers.get(to);
                if (other != null) {
                    other.later(delay(), new Event.Received(by.member.id(), message));
                }
            }
            case Action.ReadArbiter() -> by.later(delay(), new Event.ArbiterAnswered(arbiter));
            case Action.CompareAndSet(var expected, var next) -> {
                arbiter = arbiter.equals(expected) ? next : arbiter;
                by.later(delay(), new Event.ArbiterAnswered(arbiter));
            }
            case Action.EmitEvent(JobEvent.SnapshotClosed closed) -> snapshots.add(closed.latencyNanos());
            case Action.EmitEvent(JobEvent.DaemonLost lost) ->
                Optional.ofNullable(diedAt.remove(lost.daemon())).ifPresent(at -> detections.add(agenda.now() - at));
            case Action.EmitEvent(JobEvent.AllIterating iterating) -> allIterate = true;
            default -> compute(by, action);
        }
    }

    private void compute(Worker by, Action action) {
        switch (action) {
            case Action.OpenBlock(int block, Incarnation incarnation) -> {
                serve(by, block, incarnation);
                by.later(OPENING, new Event.BlockOpened(block, incarnation, 0));
            }
            case Action.RestoreBlock(int block, Incarnation incarnation, var _) -> {
                serve(by, block, incarnation);
                by.later(OPENING, new Event.BlockRestored(block, incarnation, OptionalLong.of(1), 0));
            }
            case Action.DropBlock(int block, Incarnation incarnation) -> by.open.remove(block, incarnation);
            case Action.StartBlock(int block, Incarnation incarnation) ->
                Optional.ofNullable(lostAt.remove(block)).ifPresent(at -> replacements.add(agenda.now() - at));
            case Action.PublishHalo(int from, int to) ->
                serving(to).ifPresent(reader -> reader.later(delay(), new Event.HaloArrived(from, to)));
            case Action.RecordBlock(long sid, int block) -> {
                if (by.open.containsKey(block)) {
                    by.later(0, new Event.BlockRecorded(sid, recorded(by, block, sid)));
                }
            }
            case Action.SendRecordedHalo(long sid, int from, int to) -> {
                Optional<Worker> reader = serving(to);
                if (by.open.containsKey(from) && reader.isPresent()) {
                    reader.get().later(delay(), new Event.RecordedHaloArrived(0, sid, recorded(by, from, sid), to));
                }
            }
            case Action.EvaluatePart(long sid, int block, List<RecordedBlock> used) -> {
                if (by.open.containsKey(block)) {
                    by.later(
                            EVALUATING,
                            new Event.PartEvaluated(
                                    sid, recorded(by, block, sid), used, new PartialResidual(1, 1, 0), EVALUATING));
                }
            }
            default -> {}
        }
    }

    private void serve(Worker by, int block, Incarnation incarnation) {
        by.open.put(block, incarnation);
        owners.put(block, by);
    }

    private static RecordedBlock recorded(Worker by, int block, long sid) {
        return new RecordedBlock(block, Objects.requireNonNull(by.open.get(block)), 31 * sid + block);
    }

    /** Who serves a block now. */
    private Optional<Worker> serving(int block) {
        return Optional.ofNullable(owners.get(block));
    }

    /** Whether every block has iterated. */
    boolean allIterate() {
        return allIterate;
    }

    /** Kills one daemon that serves a block, with its host: silently. */
    void crash() {
        List<Worker> serving = daemons.stream()
                .filter(worker -> !worker.isDead && !worker.open.isEmpty())
                .toList();
        Worker victim = serving.get(random.nextInt(serving.size()));
        victim.isDead = true;
        diedAt.put(victim.member.id(), agenda.now());
        victim.open.keySet().forEach(block -> lostAt.put(block, agenda.now()));
    }

    /** Messages that daemons, standbys included, have sent until now. */
    long sentByDaemons() {
        return daemons.stream().mapToLong(worker -> worker.sent).sum();
    }

    /** The most that any worker has sent until now. */
    long mostSent() {
        return workers.values().stream().mapToLong(worker -> worker.sent).max().orElseThrow();
    }

    /** Daemons there were at the start, standbys included. */
    int daemons() {
        return daemons.size();
    }

    /** Runs on for so long. */
    void run(Duration time) {
        long until = agenda.now() + time.toNanos();
        agenda.after(time.toNanos(), () -> {});
        while (agenda.now() < until && agenda.step()) {
            // Until it is over.
        }
    }
}
