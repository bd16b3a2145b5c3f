// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import dev.volary.protocol.config.BackupPolicy;
import dev.volary.protocol.config.DaemonConfig;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.directory.DirectoryFetcher;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.IterationCounter;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Scheme;
import dev.volary.protocol.model.WorkerId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The life of a daemon's blocks: opening → waiting for the first halos → iterating, or broken; saved at last, if the daemon
 * leaves. Neighbors that are served elsewhere are greeted until their first halo is there; a block starts when all are, at once
 * if its backup held halos, or after a bounded wait. If a neighbor does not answer several greetings, the spawner is asked for
 * its place.
 */
final class BlockLifecycle {
    private enum State {
        OPENING,
        WAITING,
        ITERATING,
        SAVED,
        BROKEN
    }

    /** After this many greetings without an answer the spawner is asked. */
    private static final int GREETINGS = 5;

    /**
     * In a new step a backup is due after this part of the interval: it spares a successor from fetching the committed vector. Short steps
     * would otherwise be backed up one by one, which may take longer than computing them.
     */
    private static final int NEW_STEP_SOONER = 4;

    private static final class Own {
        private final Incarnation incarnation;
        private final Set<Integer> arrived = new TreeSet<>();
        private State state = State.OPENING;
        private long startAt = Long.MAX_VALUE;
        private Optional<Message> failure = Optional.empty();
        private Optional<ProgressMessage.BlockProgress> sample = Optional.empty();
        private boolean waiting;
        private int greetings;
        private int step;
        private int backedUpStep;
        private long backedUp;
        private int slot;
        private boolean backingUp;
        /** Since the newest sample; others have their turn before it is tried again. */
        private boolean backupFailed;

        private boolean lastBackup;

        private Own(Incarnation incarnation) {
            this.incarnation = incarnation;
        }

        private boolean isOpen() {
            return state == State.WAITING || state == State.ITERATING;
        }
    }

    private final WorkerId self;
    private final JobGraph graph;
    private final DaemonConfig config;
    private final BlockDirectory directory;
    private final DirectoryFetcher fetcher;
    /** Whether blocks roll back together, to checkpoints, instead of each to its own backup. */
    private final boolean rollsBack;

    private boolean leaving;
    private long every;
    private final TreeMap<Integer, Own> blocks = new TreeMap<>();
    private long repeatAt = Long.MAX_VALUE;

    BlockLifecycle(
            WorkerId self, JobGraph graph, DaemonConfig config, BlockDirectory directory, DirectoryFetcher fetcher) {
        this.self = self;
        this.graph = graph;
        this.config = config;
        this.directory = directory;
        this.fetcher = fetcher;
        this.rollsBack = config.rollsBack(graph);
        this.every = config.backups().every();
    }

    boolean hasBlocks() {
        return !blocks.isEmpty();
    }

    boolean has(int block) {
        return blocks.containsKey(block);
    }

    /**
     * The newest samples; backs up what has advanced far enough.
     *
     * @param waiting blocks that have reason to stand still
     */
    void sampled(List<ProgressMessage.BlockProgress> samples, Set<Integer> waiting, DaemonTurn turn) {
        for (ProgressMessage.BlockProgress sample : samples) {
            Own own = blocks.get(sample.block());
            if (own != null && own.incarnation.equals(sample.incarnation())) {
                own.sample = Optional.of(sample);
                own.waiting = waiting.contains(sample.block());
                own.backupFailed = false;
            }
        }
        backUpDue(turn);
    }

    /** A block was opened in this step: what it was opened from can be had again. */
    void inStep(int block, int step) {
        Own own = blocks.get(block);
        if (own != null) {
            own.step = step;
            own.backedUpStep = step;
        }
    }

    /** A block is in this step now: what it backs up from now on holds what was committed. */
    void stepTaken(int block, int step) {
        Own own = blocks.get(block);
        if (own != null) {
            own.step = step;
            own.sample = own.sample.map(sample -> new ProgressMessage.BlockProgress(
                    block,
                    sample.incarnation(),
                    sample.iteration(),
                    sample.updates(),
                    Double.POSITIVE_INFINITY,
                    sample.haloAgeNanos(),
                    sample.haloAgeIterations(),
                    step,
                    sample.backup()));
        }
    }

    /** From now on blocks are backed up this often; 0 for never. */
    void setBackupInterval(long iterations) {
        every = iterations;
    }

    /** Whether any block iterates. */
    boolean isAnyIterating() {
        return blocks.values().stream().anyMatch(own -> own.state == State.ITERATING);
    }

    /** Progress of all blocks; those without a sample too, so that an assignment is acknowledged at once. */
    List<ProgressMessage.BlockProgress> progress() {
        return blocks.entrySet().stream()
                .map(e -> e.getValue()
                        .sample
                        .orElseGet(() -> new ProgressMessage.BlockProgress(
                                e.getKey(),
                                e.getValue().incarnation,
                                0,
                                0,
                                Double.POSITIVE_INFINITY,
                                0,
                                0,
                                e.getValue().step,
                                Optional.empty())))
                .toList();
    }

    /** How far the blocks are that iterate. */
    List<IterationCounter> counters() {
        return blocks.entrySet().stream()
                .filter(e -> e.getValue().state == State.ITERATING
                        && e.getValue().sample.isPresent())
                .map(e -> new IterationCounter(
                        e.getKey(),
                        e.getValue().sample.orElseThrow().iteration(),
                        e.getValue().waiting || e.getValue().lastBackup))
                .toList();
    }

    /**
     * Takes an assignment; returns whether it is new.
     *
     * @param copy of the block that its owner knows of
     */
    boolean assign(BlockAssignment entry, Optional<BackupVersion> copy, DaemonTurn turn) {
        Own known = blocks.get(entry.block());
        if (known != null && known.incarnation.compareTo(entry.incarnation()) >= 0) {
            return false;
        }
        if (known != null) {
            drop(entry.block(), turn);
        }
        blocks.put(entry.block(), new Own(entry.incarnation()));
        reachNeighbors(entry.block(), turn);
        boolean first =
                entry.incarnation().term().n() == 1 && entry.incarnation().counter() == 1;
        turn.add(
                first
                        ? new DaemonAction.OpenBlock(entry.block(), entry.incarnation())
                        : rollsBack
                                ? new DaemonAction.FindGenerations(entry.block(), entry.incarnation())
                                : new DaemonAction.RestoreBlock(entry.block(), entry.incarnation(), copy));
        return true;
    }

    /** Daemons that are known from another block, or from an earlier incarnation of this one, may have been forgotten. */
    private void reachNeighbors(int block, DaemonTurn turn) {
        for (int partner : graph.partners(block)) {
            directory
                    .find(partner)
                    .map(BlockAssignment::daemon)
                    .filter(daemon -> !daemon.id().equals(self))
                    .ifPresent(daemon -> turn.add(new WorkerAction.AddPeer(daemon)));
        }
    }

    /** Most first halos come unasked within this time, and a greeting may cost a connection of its own. */
    private void greetSoon(long now) {
        repeatAt = Math.min(repeatAt, now + config.retry().toNanos() / 2);
    }

    /** A neighboring block's newest entry: own halos go there now. */
    void routed(BlockAssignment entry, DaemonTurn turn) {
        turn.add(new DaemonAction.RouteBlock(entry));
        if (entry.daemon().id().equals(self)) {
            return;
        }
        blocks.forEach((block, own) -> {
            if (own.isOpen() && targets(block).contains(entry.block())) {
                turn.add(new DaemonAction.PublishHalo(block, entry.block()));
            }
        });
        greetSoon(turn.now());
    }

    /**
     * A block is open.
     *
     * @param publish its values are worth sending unasked: those of a block that lost its state are not
     */
    boolean opened(int block, Incarnation incarnation, boolean publish, DaemonTurn turn) {
        Own own = blocks.get(block);
        if (own == null || !own.incarnation.equals(incarnation) || own.state != State.OPENING) {
            return false;
        }
        own.state = State.WAITING;
        own.startAt = turn.now() + config.helloWait().toNanos();
        for (int target : publish ? targets(block) : List.<Integer>of()) {
            if (directory.daemonOf(target).filter(id -> !id.equals(self)).isPresent()) {
                turn.add(new DaemonAction.PublishHalo(block, target));
            }
        }
        greetSoon(turn.now());
        return true;
    }

    /** A block that has just been opened has its halos too, from its backup: it waits for no neighbor. */
    void startWithoutWaiting(int block, long now) {
        Own own = blocks.get(block);
        if (own != null && own.state == State.WAITING && config.scheme() == Scheme.ASYNCHRONOUS) {
            own.startAt = now;
        }
    }

    void broken(int block, Incarnation incarnation, String reason) {
        Own own = blocks.get(block);
        if (own != null && own.incarnation.equals(incarnation)) {
            boolean fatal = own.state != State.OPENING;
            own.state = State.BROKEN;
            own.failure = Optional.of(new BlockMessage.BlockFailed(block, incarnation, reason, fatal));
            repeatAt = Long.MIN_VALUE;
        }
    }

    void haloArrived(int from, int to) {
        Own own = blocks.get(to);
        if (own != null) {
            own.arrived.add(from);
        }
    }

    /** A neighbor serves now: it gets the newest halo at once. */
    void greeted(BlockMessage.BlockHello hello, DaemonTurn turn) {
        Own own = blocks.get(hello.to());
        if (own != null && own.isOpen()) {
            turn.add(new DaemonAction.PublishHalo(hello.to(), hello.from()));
        }
    }

    /** The process ends soon: every block that computes is backed up once more, and rests from then on. */
    void leave(DaemonTurn turn) {
        leaving = true;
        backUpDue(turn);
    }

    /** A backup is durable. */
    void backedUp(int block, Incarnation incarnation, long iteration, DaemonTurn turn) {
        Own own = blocks.get(block);
        if (own != null && own.incarnation.equals(incarnation)) {
            own.backedUp = Math.max(own.backedUp, iteration);
            backupEnded(own);
            backUpDue(turn);
        }
    }

    /** A backup could not be stored: a block that rests already is moved with the older ones. The next sample tries again. */
    void backupBroken(int block, Incarnation incarnation, DaemonTurn turn) {
        Own own = blocks.get(block);
        if (own != null && own.incarnation.equals(incarnation)) {
            own.backupFailed = true;
            backupEnded(own);
            backUpDue(turn);
        }
    }

    private static void backupEnded(Own own) {
        own.backingUp = false;
        if (own.lastBackup) {
            own.state = State.SAVED;
        }
    }

    /** Blocks that compute, or whose last values are on their way to a backup. */
    List<Integer> busy() {
        return blocks.entrySet().stream()
                .filter(e -> e.getValue().isOpen())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Those that are furthest from their backups first. */
    private void backUpDue(DaemonTurn turn) {
        long inTransit = blocks.values().stream()
                .filter(own -> own.isOpen() && own.backingUp)
                .count();
        blocks.entrySet().stream()
                .filter(e -> isBackupDue(e.getValue()))
                .sorted(Comparator.comparingLong(e -> -iterationsSinceBackup(e.getValue())))
                .limit(Math.max(0, BackupPolicy.AT_ONCE - inTransit))
                .forEach(e -> backUp(e.getKey(), e.getValue(), turn));
    }

    private boolean isBackupDue(Own own) {
        if (own.backingUp) {
            return false;
        }
        if (leaving) {
            return own.isOpen();
        }
        return every > 0
                && !rollsBack
                && !own.backupFailed
                && own.state == State.ITERATING
                && own.sample.isPresent()
                && iterationsSinceBackup(own) >= (own.step > own.backedUpStep ? every / NEW_STEP_SOONER : every);
    }

    private static long iterationsSinceBackup(Own own) {
        return own.sample.map(sample -> sample.iteration() - own.backedUp).orElse(0L);
    }

    private void backUp(int block, Own own, DaemonTurn turn) {
        own.backingUp = true;
        own.lastBackup = leaving;
        own.backedUpStep = own.step;
        turn.add(new DaemonAction.BackUp(block, own.incarnation, own.slot, leaving));
        own.slot = (own.slot + 1) % config.backups().slots();
    }

    void fenced(int block, Incarnation newest, DaemonTurn turn) {
        Own own = blocks.get(block);
        if (own != null && own.incarnation.compareTo(newest) < 0) {
            drop(block, turn);
        }
    }

    /** The daemons that serve the neighbors of blocks here, as far as they are known. */
    Set<WorkerId> neighbors() {
        Set<WorkerId> neighbors = new TreeSet<>();
        for (int block : blocks.keySet()) {
            graph.partners(block).forEach(partner -> directory.daemonOf(partner).ifPresent(neighbors::add));
        }
        return neighbors;
    }

    void tick(Optional<WorkerId> spawner, DaemonTurn turn) {
        boolean repeat = turn.now() >= repeatAt;
        boolean waiting = false;
        if (repeat) {
            repeatAt = turn.now() + config.retry().toNanos();
        }
        for (Map.Entry<Integer, Own> entry : blocks.entrySet()) {
            int block = entry.getKey();
            Own own = entry.getValue();
            if (own.failure.isPresent()) {
                waiting = true;
                if (repeat && spawner.isPresent()) {
                    turn.send(spawner.get(), own.failure.get());
                }
            } else if (own.isOpen()) {
                waiting |= greetMissingNeighbors(block, own, repeat, turn);
            }
        }
        startReady(turn);
        if (waiting) {
            turn.wakeAt(repeatAt);
        } else {
            repeatAt = Long.MAX_VALUE;
        }
    }

    int entries() {
        return blocks.values().stream().mapToInt(own -> 1 + own.arrived.size()).sum();
    }

    /** Blocks whose halos are awaited. */
    private List<Integer> sources(int block) {
        return config.scheme() == Scheme.SYNCHRONOUS
                ? graph.partners(block)
                : graph.blocks().get(block).sources();
    }

    /** Blocks that halos are sent to. */
    private List<Integer> targets(int block) {
        return config.scheme() == Scheme.SYNCHRONOUS
                ? graph.partners(block)
                : graph.blocks().get(block).readers();
    }

    private boolean greetMissingNeighbors(int block, Own own, boolean repeat, DaemonTurn turn) {
        boolean missing = false;
        boolean ask = repeat && ++own.greetings % GREETINGS == 0;
        for (int source : sources(block)) {
            if (!own.arrived.contains(source) && !blocks.containsKey(source)) {
                missing = true;
                Optional<WorkerId> daemon = directory.daemonOf(source).filter(id -> !id.equals(self));
                if (repeat && daemon.isPresent()) {
                    turn.send(daemon.get(), new BlockMessage.BlockHello(block, own.incarnation, source));
                }
                if (ask) {
                    fetcher.want(source);
                }
            }
        }
        return missing;
    }

    private void startReady(DaemonTurn turn) {
        for (Map.Entry<Integer, Own> entry : blocks.entrySet()) {
            Own own = entry.getValue();
            if (leaving || own.state != State.WAITING) {
                continue;
            }
            if (turn.now() >= own.startAt
                    || sources(entry.getKey()).stream().allMatch(source -> isPresent(own, source))) {
                own.state = State.ITERATING;
                turn.add(new DaemonAction.StartBlock(entry.getKey(), own.incarnation));
            } else {
                turn.wakeAt(own.startAt);
            }
        }
    }

    private boolean isPresent(Own own, int source) {
        Own local = blocks.get(source);
        return own.arrived.contains(source) || (local != null && local.isOpen());
    }

    private void drop(int block, DaemonTurn turn) {
        Own own = blocks.remove(block);
        if (own != null) {
            turn.add(new DaemonAction.DropBlock(block, own.incarnation, !rollsBack));
        }
    }
}
