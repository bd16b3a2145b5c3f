// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scaling;

import dev.volary.protocol.config.DaemonConfig;
import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.config.RecoveryPolicy;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.daemon.DaemonMachine;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.message.ToDaemon;
import dev.volary.protocol.message.ToSpawner;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.Scheme;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import dev.volary.protocol.spawner.SpawnerMachine;
import dev.volary.simulator.engine.EventQueue;
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

    final EventQueue queue = new EventQueue();
    private final SplittableRandom random;
    private final JobGraph graph;
    private final Map<WorkerId, Worker> workers = new HashMap<>();
    private final List<DaemonWorker> daemons = new ArrayList<>();
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
    private final Map<Integer, DaemonWorker> owners = new HashMap<>();
    private boolean allIterate;

    /** A worker and its clockwork. */
    abstract class Worker {
        final Member member;
        final Map<Integer, Incarnation> open = new HashMap<>();
        private long wakeUp = Long.MAX_VALUE;
        boolean isDead;
        long sent;

        Worker(Member member) {
            this.member = member;
        }

        abstract void handle(WorkerEvent event);

        abstract void received(WorkerId from, Message message);

        final void wake(Turn turn) {
            if (turn.wakeUp() < wakeUp) {
                wakeUp = turn.wakeUp();
                long at = wakeUp;
                queue.after(at - queue.now(), () -> {
                    if (wakeUp == at && !isDead) {
                        wakeUp = Long.MAX_VALUE;
                        handle(new WorkerEvent.Tick());
                    }
                });
            }
        }

        final void later(long delay, Runnable what) {
            queue.after(delay, () -> {
                if (!isDead) {
                    what.run();
                }
            });
        }

        final void carryOut(WorkerAction action) {
            switch (action) {
                case WorkerAction.Send(WorkerId to, Message message) -> {
                    sent++;
                    Worker other = workers.get(to);
                    if (other != null) {
                        other.later(delay(), () -> other.received(member.id(), message));
                    }
                }
                // Every worker reaches every other, keeps no backups, and is never evicted while it lives.
                case WorkerAction.AddPeer peer -> {}
                case WorkerAction.ForgetPeer peer -> {}
                case WorkerAction.OpenBackupStore store -> {}
                case WorkerAction.UpdateHolders holders -> {}
                case WorkerAction.Restart restart -> {}
            }
        }
    }

    private final class SpawnerWorker extends Worker {
        private final SpawnerMachine machine;

        SpawnerWorker(Member member, SpawnerMachine machine) {
            super(member);
            this.machine = machine;
        }

        @Override
        void handle(WorkerEvent event) {
            handle((SpawnerEvent) event);
        }

        @Override
        void received(WorkerId from, Message message) {
            handle(new SpawnerEvent.Received(from, (ToSpawner) message));
        }

        private void handle(SpawnerEvent event) {
            SpawnerTurn turn = new SpawnerTurn(queue.now());
            machine.on(event, turn);
            turn.actions().forEach(this::perform);
            wake(turn);
        }

        private void perform(SpawnerAction action) {
            switch (action) {
                case WorkerAction shared -> carryOut(shared);
                case SpawnerAction.ReadArbiter() -> answer();
                case SpawnerAction.CompareAndSet(var expected, var next) -> {
                    arbiter = arbiter.equals(expected) ? next : arbiter;
                    answer();
                }
                case SpawnerAction.EmitEvent(JobEvent event) -> emitted(event);
                // The residual never falls and no volume is there, so there is neither a result nor a checkpoint.
                case SpawnerAction.AssembleStep step -> {}
                case SpawnerAction.AssembleResult result -> {}
                case SpawnerAction.HoldParts hold -> {}
                case SpawnerAction.CopyResult copy -> {}
                case SpawnerAction.PublishResult publish -> {}
                case SpawnerAction.SaveCheckpoint checkpoint -> {}
                case SpawnerAction.DeleteParts parts -> {}
                case SpawnerAction.Finish finish -> {}
            }
        }

        private void answer() {
            LeaderElectionRecord record = arbiter;
            later(delay(), () -> handle(new SpawnerEvent.ArbiterAnswered(record)));
        }
    }

    private final class DaemonWorker extends Worker {
        private final DaemonMachine machine;

        DaemonWorker(Member member, DaemonMachine machine) {
            super(member);
            this.machine = machine;
        }

        @Override
        void handle(WorkerEvent event) {
            handle((DaemonEvent) event);
        }

        @Override
        void received(WorkerId from, Message message) {
            handle(new DaemonEvent.Received(from, (ToDaemon) message));
        }

        private void handle(DaemonEvent event) {
            DaemonTurn turn = new DaemonTurn(queue.now());
            machine.on(event, turn);
            turn.actions().forEach(this::perform);
            wake(turn);
        }

        private void later(long delay, DaemonEvent event) {
            later(delay, () -> handle(event));
        }

        private void sample() {
            // All samples differ, as those of blocks that iterate do.
            long iteration = queue.now() / 1_000_000;
            if (!isDead) {
                handle(new DaemonEvent.ProgressSampled(
                        open.entrySet().stream()
                                .map(block -> new BlockProgress(
                                        block.getKey(), block.getValue(), iteration, iteration, 1, 0, 0))
                                .toList(),
                        Set.of()));
            }
            queue.after(SAMPLE, this::sample);
        }

        private void perform(DaemonAction action) {
            switch (action) {
                case WorkerAction shared -> carryOut(shared);
                case DaemonAction.OpenBlock(int block, Incarnation incarnation) -> {
                    serve(this, block, incarnation);
                    later(OPENING, new DaemonEvent.BlockOpened(block, incarnation, 0));
                }
                case DaemonAction.RestoreBlock(int block, Incarnation incarnation, var _) -> {
                    serve(this, block, incarnation);
                    later(OPENING, new DaemonEvent.BlockRestored(block, incarnation, OptionalLong.of(1), 0));
                }
                case DaemonAction.DropBlock(int block, Incarnation incarnation, boolean leavesBackup) ->
                    open.remove(block, incarnation);
                case DaemonAction.StartBlock(int block, Incarnation incarnation) ->
                    Optional.ofNullable(lostAt.remove(block)).ifPresent(at -> replacements.add(queue.now() - at));
                case DaemonAction.PublishHalo(int from, int to) ->
                    serving(to).ifPresent(reader -> reader.later(delay(), new DaemonEvent.HaloArrived(from, to)));
                case DaemonAction.RecordBlock(long sid, int block) -> {
                    if (open.containsKey(block)) {
                        later(0, new DaemonEvent.BlockRecorded(sid, recorded(this, block, sid), 1));
                    }
                }
                case DaemonAction.SendRecordedHalo(long sid, int from, int to) -> {
                    Optional<DaemonWorker> reader = serving(to);
                    if (open.containsKey(from) && reader.isPresent()) {
                        reader.get()
                                .later(
                                        delay(),
                                        new DaemonEvent.RecordedHaloArrived(0, sid, recorded(this, from, sid), to));
                    }
                }
                case DaemonAction.EvaluatePart(long sid, int block, List<RecordedBlock> used) -> {
                    if (open.containsKey(block)) {
                        later(
                                EVALUATING,
                                new DaemonEvent.PartEvaluated(
                                        sid,
                                        recorded(this, block, sid),
                                        used,
                                        new PartialResidual(1, 1, 0),
                                        EVALUATING));
                    }
                }
                // Blocks compute nothing, so there is nothing to prepare, back up, save, roll back or end.
                case DaemonAction.WarmUp warm -> {}
                case DaemonAction.BackUp backUp -> {}
                case DaemonAction.FindGenerations find -> {}
                case DaemonAction.ResumeBlock resume -> {}
                case DaemonAction.CheckpointBlock checkpoint -> {}
                case DaemonAction.BeginPhase phase -> {}
                case DaemonAction.TestStep test -> {}
                case DaemonAction.ReleaseBlock release -> {}
                case DaemonAction.RouteBlock route -> {}
                case DaemonAction.ResendHalo halo -> {}
                case DaemonAction.StorePart part -> {}
                case DaemonAction.CommitStep commit -> {}
                case DaemonAction.DropRecord drop -> {}
                case DaemonAction.StopComputing stop -> {}
                case DaemonAction.Exit exit -> {}
            }
        }
    }

    /**
     * Starts the workers of a job.
     *
     * @param count daemons that compute
     */
    ScalingJob(int count, long seed) {
        this.random = new SplittableRandom(seed);
        this.graph = grid(count);
        int groups = Math.ceilDiv(count, COMPUTING);
        int all = count + groups;
        SpawnerConfig job = SpawnerConfig.of(
                        all, groups, 1e-9, Duration.ofSeconds(60), Optional.empty(), RecoveryPolicy.STANDARD)
                .withWatch(FailureDetectorConfig.standard());
        for (int i = 0; i < groups; i++) {
            Member member = member(WorkerRole.SPAWNER, i);
            spawners.add(member);
            workers.put(
                    member.id(), new SpawnerWorker(member, new SpawnerMachine(member, graph, job, random.nextLong())));
        }
        for (int i = 0; i < all; i++) {
            Member member = member(WorkerRole.DAEMON, i);
            DaemonWorker worker = new DaemonWorker(
                    member, new DaemonMachine(member, graph, DaemonConfig.of(Scheme.ASYNCHRONOUS), random.nextLong()));
            workers.put(member.id(), worker);
            daemons.add(worker);
        }
        for (Worker worker : workers.values()) {
            worker.later(random.nextLong(RETRY), () -> worker.handle(new WorkerEvent.SpawnersFound(spawners)));
        }
        daemons.forEach(worker -> queue.after(random.nextLong(SAMPLE), worker::sample));
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

    private void emitted(JobEvent event) {
        if (event instanceof JobEvent.SnapshotClosed closed) {
            snapshots.add(closed.latencyNanos());
        } else if (event instanceof JobEvent.DaemonLost lost) {
            Optional.ofNullable(diedAt.remove(lost.daemon())).ifPresent(at -> detections.add(queue.now() - at));
        } else if (event instanceof JobEvent.AllIterating) {
            allIterate = true;
        }
    }

    private void serve(DaemonWorker by, int block, Incarnation incarnation) {
        by.open.put(block, incarnation);
        owners.put(block, by);
    }

    private static RecordedBlock recorded(Worker by, int block, long sid) {
        return new RecordedBlock(block, Objects.requireNonNull(by.open.get(block)), 31 * sid + block);
    }

    /** The daemon that serves a block now. */
    private Optional<DaemonWorker> serving(int block) {
        return Optional.ofNullable(owners.get(block));
    }

    /** Whether every block has iterated. */
    boolean allIterate() {
        return allIterate;
    }

    /** Kills one daemon that serves a block, with its host: silently. */
    void crash() {
        List<DaemonWorker> serving = daemons.stream()
                .filter(worker -> !worker.isDead && !worker.open.isEmpty())
                .toList();
        DaemonWorker victim = serving.get(random.nextInt(serving.size()));
        victim.isDead = true;
        diedAt.put(victim.member.id(), queue.now());
        victim.open.keySet().forEach(block -> lostAt.put(block, queue.now()));
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

    /** Runs on for this time. */
    void run(Duration time) {
        long until = queue.now() + time.toNanos();
        queue.after(time.toNanos(), () -> {});
        while (queue.now() < until && queue.step()) {
            // Until it is over.
        }
    }
}
