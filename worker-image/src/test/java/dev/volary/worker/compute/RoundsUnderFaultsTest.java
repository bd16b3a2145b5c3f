// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.link.LinkTelemetry;
import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.protocol.halo.RoundSchedule;
import dev.volary.protocol.halo.RoundSlots;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.RedundantCoarseBlock;
import dev.volary.solver.Resources;
import dev.volary.solver.SteppedBlock;
import dev.volary.worker.runtime.OpenedProblem;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blocks in rounds under a random scheduler in virtual time: real blocks, real pacers, and links that delay and lose. Every job
 * must reach the tolerance, whatever happens to its blocks. Seeds are the parameters, so a failure can be repeated.
 */
class RoundsUnderFaultsTest {
    private static final double TOLERANCE = 1e-8;
    private static final int N = 15;
    private static final int BLOCKS = 4;
    /** Of a problem that marches in time. */
    private static final int STEPS = 4;

    private static final long ITERATION = Duration.ofMillis(2).toNanos();
    private static final long NAP = Duration.ofMillis(5).toNanos();
    private static final double MEAN_DELAY = 0.1 * ITERATION;
    private static final long BOUND = Duration.ofSeconds(60).toNanos();

    /**
     * What happens beside computing.
     *
     * @param loss share of halos that never arrive
     * @param slowness of block 0
     * @param crashes at most so many, one each {@code crashEvery}
     * @param downtime until the replacement starts
     * @param pauseEvery a block stands still for half of this time; zero for never
     */
    private record Faults(
            double loss, double slowness, int crashes, Duration crashEvery, Duration downtime, Duration pauseEvery) {
        static Faults losing(double share) {
            return new Faults(share, 1, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        }

        static Faults slow(double factor) {
            return new Faults(0, factor, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        }

        static Faults crashing(double loss, int most, Duration every, Duration down) {
            return new Faults(loss, 1, most, every, down, Duration.ZERO);
        }

        static Faults pausing(double loss, Duration every) {
            return new Faults(loss, 1, 0, Duration.ZERO, Duration.ZERO, every);
        }
    }

    private record Event(long at, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private record Sent(
            @SuppressWarnings("ArrayRecordComponent") double[] values, int step, long iteration) {}

    /** The receiving end of an edge: two halos wait, and a third replaces the older one. */
    private static final class FakeLink implements NewestWinsLink {
        private final Edge edge;
        private final Deque<Sent> waiting = new ArrayDeque<>();
        private Sent inUse;
        private int newestStep;
        private long newestIteration = -1;
        private long newestIncarnation = -1;

        FakeLink(Edge edge) {
            this.edge = edge;
            inUse = new Sent(new double[edge.haloSize()], 0, 0);
        }

        void offer(double[] values, long incarnation, int sentStep, long sentIteration) {
            boolean isNewer = incarnation > newestIncarnation
                    || (incarnation == newestIncarnation
                            && (sentStep > newestStep || (sentStep == newestStep && sentIteration > newestIteration)));
            if (isNewer) {
                if (waiting.size() == RoundSlots.HALOS_KEPT) {
                    waiting.removeFirst();
                }
                waiting.addLast(new Sent(values, sentStep, sentIteration));
                newestIncarnation = incarnation;
                newestStep = sentStep;
                newestIteration = sentIteration;
            }
        }

        @Override
        public boolean take() {
            if (waiting.isEmpty()) {
                return false;
            }
            inUse = waiting.removeFirst();
            return true;
        }

        @Override
        public double[] values() {
            return inUse.values();
        }

        @Override
        public long iteration() {
            return inUse.iteration();
        }

        @Override
        public int length() {
            return edge.haloSize();
        }

        @Override
        public int from() {
            return edge.from();
        }

        @Override
        public int to() {
            return edge.to();
        }

        @Override
        public boolean hasValues() {
            return newestIteration >= 0;
        }

        @Override
        public int step() {
            return inUse.step();
        }

        @Override
        public int coarseVersion() {
            return 0;
        }

        @Override
        public long arrivedNanos() {
            return 0;
        }

        @Override
        public Incarnation incarnation() {
            return new Incarnation(new GroupTerm(1, new WorkerId(1)), (int) newestIncarnation);
        }

        @Override
        public void acceptFrom(Incarnation oldest) {
            throw new AssertionError("a pacer routes nothing");
        }

        @Override
        public void onArrival(Runnable wake) {
            throw new AssertionError("a pacer is not woken");
        }

        @Override
        public LinkTelemetry telemetry() {
            throw new AssertionError("a pacer reports nothing");
        }
    }

    /** One incarnation of a block, driven as {@link AsynchronousRunner} drives it. */
    private final class Running {
        private final int id;
        private final long incarnation;
        private final RedundantCoarseBlock block;
        private final List<FakeLink> links = new ArrayList<>();
        private final LinkHalos halos;
        private final RoundPacer pacer;
        /** In the step. */
        private long completed;

        private boolean computing;
        private boolean paused;
        private boolean dead;

        Running(int id, long incarnation, AsynchronousRunner.Origin origin, long completed, BlockState copy)
                throws InvalidProblemException, IOException {
            this.id = id;
            this.incarnation = incarnation;
            this.completed = completed;
            block = (RedundantCoarseBlock) model.block(decomposition, id, Resources.SINGLE);
            List<double[]> initial = new ArrayList<>();
            for (Edge edge : decomposition.incoming(id)) {
                links.add(new FakeLink(edge));
                initial.add(new double[edge.haloSize()]);
            }
            halos = new LinkHalos(initial, 0);
            if (origin == AsynchronousRunner.Origin.COPY) {
                copy.restoreTo(block, halos);
            }
            int healing = origin == AsynchronousRunner.Origin.START
                    ? 0
                    : block.healing(origin == AsynchronousRunner.Origin.COPY);
            pacer = new RoundPacer(
                    block,
                    List.copyOf(links),
                    halos,
                    step(),
                    completed,
                    TOLERANCE * model.scale(),
                    healing,
                    origin == AsynchronousRunner.Origin.LOST,
                    (edge, phase) -> {},
                    () -> now);
        }

        int step() {
            return block instanceof SteppedBlock stepped ? stepped.step() : 0;
        }

        /** The commit of a step is known to this block from a random time on. */
        private void commit() {
            if (block instanceof SteppedBlock stepped && step() <= committedStep && now >= knownAt[id]) {
                while (step() <= committedStep) {
                    stepped.commit(committed.get(id), recorded(id, committed));
                }
                LinkHalos certified = recorded(id, committed);
                for (int k = 0; k < halos.size(); k++) {
                    halos.copied(k, certified.values(k), now, 0);
                }
                completed = 0;
                pacer.stepBegun(step());
                publish();
            }
        }

        BlockState state() {
            ByteArrayOutputStream extra = new ByteArrayOutputStream();
            try {
                block.save(new DataOutputStream(extra));
            } catch (IOException impossible) {
                throw new AssertionError(impossible);
            }
            return new BlockState(step(), completed, core(this), List.of(), extra.toByteArray());
        }

        void turn() {
            if (dead || computing || paused) {
                return;
            }
            commit();
            RoundSchedule.Turn turn = pacer.next(completed);
            switch (turn) {
                case WAIT, REST -> {
                    if (!pacer.isHealing() && pacer.isRepeatDue()) {
                        publish();
                    }
                    after(NAP, this::turn);
                }
                case JOIN -> {
                    join();
                    turn();
                }
                case HEAL, ITERATE -> {
                    computing = true;
                    double factor = (id == 0 ? faults.slowness : 1) * (0.5 + random.nextDouble());
                    boolean isComplete = pacer.isComplete();
                    after((long) (ITERATION * factor), () -> done(turn, isComplete));
                }
            }
        }

        private void done(RoundSchedule.Turn turn, boolean isComplete) {
            computing = false;
            if (dead) {
                return;
            }
            if (turn == RoundSchedule.Turn.HEAL) {
                pacer.restoreIfEmpty();
                block.iterate(halos);
                if (pacer.healed()) {
                    join();
                }
            } else {
                overdue += isComplete ? 0 : 1;
                block.iterate(halos);
                completed++;
                iterations[id]++;
                publish();
                pacer.iterated(isComplete, completed);
            }
            turn();
        }

        private void join() {
            completed = pacer.join(completed);
            publish();
        }

        void publish() {
            for (Edge edge : decomposition.outgoing(id)) {
                double[] values = new double[edge.haloSize()];
                block.writeHalo(edge, values);
                int step = step();
                long sent = completed;
                if (random.nextDouble() >= faults.loss) {
                    long delay = (long) (-Math.log(1 - random.nextDouble()) * MEAN_DELAY);
                    after(delay, () -> {
                        Running reader = running[edge.to()];
                        reader.link(id).offer(values, incarnation, step, sent);
                        reader.turn();
                    });
                }
            }
        }

        FakeLink link(int from) {
            return links.stream()
                    .filter(link -> link.from() == from)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private Model model;
    private Decomposition decomposition;
    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private final Running[] running = new Running[BLOCKS];
    private final long[] iterations = new long[BLOCKS];
    private Faults faults = Faults.losing(0);
    private Random random = new Random(1);
    private long now;
    private long order;
    private int overdue;
    private int crashes;
    /** The step that was committed last, its vector, and when each block hears of it. */
    private int committedStep;

    private List<double[]> committed = List.of();
    private final long[] knownAt = new long[BLOCKS];

    RoundsUnderFaultsTest() throws InvalidProblemException {
        OpenedProblem problem = opened("poisson3d", N);
        model = problem.model();
        decomposition = problem.decomposition();
    }

    private static OpenedProblem opened(String type, int points) throws InvalidProblemException {
        return OpenedProblem.open(JobDescription.newBuilder()
                .setProblem(type)
                .setBlocks(BLOCKS)
                .putParameters(
                        "points", ParameterValue.newBuilder().setWhole(points).build())
                .putParameters(
                        "method",
                        ParameterValue.newBuilder().setText("Multigrid").build())
                .build());
    }

    private void after(long delay, Runnable action) {
        queue.add(new Event(now + delay, order++, action));
    }

    /** Runs the job until its assembled vector is within the tolerance. */
    private void run(long seed, Faults chosen) throws Exception {
        start(seed, chosen);
        converge(seed);
    }

    private void start(long seed, Faults chosen) throws Exception {
        faults = chosen;
        random = new Random(seed);
        BlockState none = new BlockState(0, new double[0], List.of(), new byte[0]);
        for (int b = 0; b < BLOCKS; b++) {
            running[b] = new Running(b, 1, AsynchronousRunner.Origin.START, 0, none);
        }
        for (Running block : running) {
            block.publish();
            after(random.nextLong(NAP), block::turn);
        }
        if (faults.crashes > 0) {
            after(faults.crashEvery.toNanos(), this::crash);
        }
        if (faults.pauseEvery.isPositive()) {
            after(faults.pauseEvery.toNanos(), this::pause);
        }
    }

    private void converge(long seed) {
        while (!haveCommitted() || residual() > TOLERANCE) {
            long counted = total();
            while (total() == counted) {
                Event next = queue.remove();
                now = next.at();
                assertTrue(
                        now < BOUND,
                        () -> "seed " + seed + ": residual " + residual() + " after " + Arrays.toString(iterations)
                                + " iterations");
                next.action().run();
            }
        }
        System.out.printf(
                "seed %d %s: %s iterations, %d of them overdue, %d crashes, %.3f s%n",
                seed, faults, Arrays.toString(iterations), overdue, crashes, 1e-9 * now);
    }

    private boolean haveCommitted() {
        return Arrays.stream(running).allMatch(block -> block.step() == 0 || block.step() > committedStep);
    }

    /** Every block hears of the commit within two iterations. */
    private void commit() {
        committed = Arrays.stream(running).map(this::core).toList();
        committedStep = running[0].step();
        for (int b = 0; b < BLOCKS; b++) {
            int id = b;
            knownAt[b] = now + random.nextLong(2 * ITERATION);
            after(knownAt[b] - now, () -> running[id].turn());
        }
    }

    private long total() {
        return Arrays.stream(iterations).sum();
    }

    private void crash() {
        if (crashes == faults.crashes) {
            return;
        }
        crashes++;
        Running lost = running[random.nextInt(BLOCKS)];
        if (!lost.dead) {
            lost.dead = true;
            BlockState copy = lost.state();
            boolean hasCopy = random.nextBoolean();
            after(faults.downtime.toNanos(), () -> replace(lost, hasCopy, copy));
        }
        after(faults.crashEvery.toNanos(), this::crash);
    }

    private void replace(Running lost, boolean hasCopy, BlockState copy) {
        try {
            running[lost.id] = new Running(
                    lost.id,
                    lost.incarnation + 1,
                    hasCopy ? AsynchronousRunner.Origin.COPY : AsynchronousRunner.Origin.LOST,
                    hasCopy && committedStep == 0 ? lost.completed : 0,
                    copy);
        } catch (InvalidProblemException | IOException impossible) {
            throw new AssertionError(impossible);
        }
        // A new route makes the neighbors send what they published last.
        for (Running other : running) {
            if (other.id != lost.id && !other.dead && !other.pacer.isHealing()) {
                other.publish();
            }
        }
        running[lost.id].turn();
    }

    private void pause() {
        Running chosen = running[random.nextInt(BLOCKS)];
        chosen.paused = true;
        after(faults.pauseEvery.toNanos() / 2, () -> {
            chosen.paused = false;
            chosen.turn();
        });
        after(faults.pauseEvery.toNanos(), this::pause);
    }

    private double[] core(Running block) {
        double[] core = new double[decomposition.parts().get(block.id).core().size()];
        block.block.copyCore(core);
        return core;
    }

    /** What a snapshot of this instant would certify, relative to the scale. */
    private double residual() {
        double largest = 0;
        List<double[]> cores = Arrays.stream(running).map(this::core).toList();
        for (int b = 0; b < BLOCKS; b++) {
            largest = Math.max(
                    largest,
                    running[b].block.residual(cores.get(b), recorded(b, cores)).norm());
        }
        return largest / model.scale();
    }

    private LinkHalos recorded(int block, List<double[]> cores) {
        List<double[]> recorded = new ArrayList<>();
        for (Edge edge : decomposition.incoming(block)) {
            int[] positions = EdgePositions.of(
                    decomposition.unknowns(),
                    decomposition.parts().get(edge.from()).core(),
                    edge.values());
            double[] values = new double[positions.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = cores.get(edge.from())[positions[i]];
            }
            recorded.add(values);
        }
        return new LinkHalos(recorded, 0);
    }

    /** Steps of the heat equation; each block hears of a commit at its own time, so halos of two steps mix. */
    private void march(long seed, Faults chosen) throws Exception {
        OpenedProblem problem = opened("heat2d-implicit", 31);
        model = problem.model();
        decomposition = problem.decomposition();
        start(seed, chosen);
        for (int step = 1; step <= STEPS; step++) {
            converge(seed);
            assertEquals(step, running[0].step());
            commit();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyTimeStepTakesAFewRounds(long seed) throws Exception {
        march(seed, Faults.losing(0));
        assertEquals(0, overdue);
        assertTrue(Arrays.stream(iterations).max().orElseThrow() <= STEPS * 12, Arrays.toString(iterations));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void lostHalosOfANewStepAreSentAgain(long seed) throws Exception {
        march(seed, Faults.losing(0.2));
        assertTrue(overdue <= 3, "overdue " + overdue); // all others may wait for the same block
        assertTrue(Arrays.stream(iterations).max().orElseThrow() <= STEPS * 16, Arrays.toString(iterations));
    }

    /** A replacement is in an earlier step, or in the first, until it commits. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void everyTimeStepEndsAlthoughBlocksCrash(long seed) throws Exception {
        march(seed, Faults.crashing(0.05, 10, Duration.ofMillis(20), Duration.ofMillis(5)));
        assertTrue(crashes > 0, "the job ended before anything happened");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void withoutFaultsEveryRoundIsCompleteAndAFewSuffice(long seed) throws Exception {
        run(seed, Faults.losing(0));
        assertEquals(0, overdue);
        assertTrue(Arrays.stream(iterations).max().orElseThrow() <= 12, Arrays.toString(iterations));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aSlowBlockIsWaitedFor(long seed) throws Exception {
        run(seed, Faults.slow(10));
        assertEquals(0, overdue);
        assertTrue(Arrays.stream(iterations).max().orElseThrow() <= 12, Arrays.toString(iterations));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void lostHalosAreSentAgainBeforePatienceRunsOut(long seed) throws Exception {
        run(seed, Faults.losing(0.2));
        assertTrue(overdue <= 2, "overdue " + overdue);
        assertTrue(Arrays.stream(iterations).max().orElseThrow() <= 16, Arrays.toString(iterations));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void everyJobEndsAlthoughBlocksCrashEveryFewRounds(long seed) throws Exception {
        run(seed, Faults.crashing(0.05, 10, Duration.ofMillis(20), Duration.ofMillis(5)));
        assertTrue(crashes > 0, "the job ended before anything happened");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aBlockThatIsReplacedLateHoldsNoRoundLongerThanThePatience(long seed) throws Exception {
        run(seed, Faults.crashing(0, 1, Duration.ofMillis(9), Duration.ofSeconds(2)));
        assertTrue(crashes > 0, "the job ended before anything happened");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void pausedBlocksJoinTheRoundOfTheOthers(long seed) throws Exception {
        run(seed, Faults.pausing(0.05, Duration.ofMillis(20)));
    }

    @Test
    void blocksRestOnceTheRoundIsWithinTheTolerance() throws Exception {
        run(1, Faults.losing(0));
        long until = now + Duration.ofSeconds(4).toNanos();
        while (now < until) {
            Event next = queue.remove();
            now = next.at();
            next.action().run();
        }
        long most = Arrays.stream(iterations).max().orElseThrow();
        assertTrue(most <= 16, "no rest: " + Arrays.toString(iterations));
        assertTrue(residual() <= TOLERANCE);
    }
}
