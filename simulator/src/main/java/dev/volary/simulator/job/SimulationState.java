// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.link.ReliableLink;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.engine.EventQueue;
import dev.volary.simulator.scenario.InjectedFault;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.SimulatedProblem;
import dev.volary.simulator.scenario.TimingModel;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What all nodes of a simulation share: time, chance, the networks, the arbiter, and the checker. */
public final class SimulationState {
    private static final long STUCK_FROM = 60_000_000;
    private static final long STUCK_FOR = 1_000_000_000L;
    private static final long STALE_EVERY = 15_000_000;
    private static final double MISLABELED = 0.2;
    private static final int BROKEN_COPIES = 2;
    private static final int LATE_STORES = 5;
    /** A process that was fenced long ago and still sends. */
    private static final WorkerId ZOMBIE = new WorkerId(7);

    /** Stands for the arbiter where a connection is cut. */
    static final WorkerId ARBITER = new WorkerId(8);

    private record Pair(int from, int to) {}

    private record Way(WorkerId from, WorkerId to) {}

    final Scenario scenario;
    final long seed;
    public final EventQueue queue = new EventQueue();
    final SplittableRandom random;
    final SimulatedProblem problem;
    final Decomposition decomposition;
    final TimingModel timing;
    public final InvariantChecker checker;
    public final FailureStatistics statistics = new FailureStatistics();
    final TreeMap<WorkerId, SimulatedWorker> nodes = new TreeMap<>();
    private @Nullable List<SimulatedDaemon> daemons;
    final SimulatedBackups holders = new SimulatedBackups();
    final SimulatedPartRepository sink = new SimulatedPartRepository();
    final SimulatedStorage storage;
    final SimulatedCheckpointVolume volume = new SimulatedCheckpointVolume(this);
    /** The block that breaks, where one does. */
    final int victim;

    /** How often the victim block was refused to be opened. */
    int refusals;

    boolean oneStoreIsCold;
    private int copies;
    private int stores;

    LeaderElectionRecord arbiter = LeaderElectionRecord.EMPTY;
    private final Set<WorkerId> refusing = new HashSet<>();
    private final Optional<Edge> deaf;
    private final Map<Way, Long> cuts = new HashMap<>();
    private Optional<WorkerId> slow = Optional.empty();
    private final List<Runnable> heldUp = new ArrayList<>();
    private @Nullable FaultInjector faultInjector;
    private final Map<Pair, int[]> positions = new HashMap<>();
    private final List<List<Edge>> outgoing = new ArrayList<>();

    public SimulationState(Scenario scenario, long seed, SimulatedProblem problem, TimingModel timing) {
        this.scenario = scenario;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.problem = problem;
        this.decomposition = problem.decomposition();
        this.timing = timing;
        this.storage = new SimulatedStorage(scenario.storage());
        this.checker = new InvariantChecker(scenario, problem, timing);
        this.victim = random.nextInt(decomposition.blocks());
        List<Edge> edges = decomposition.edges();
        this.deaf = edges.isEmpty() ? Optional.empty() : Optional.of(edges.get(random.nextInt(edges.size())));
        for (int b = 0; b < decomposition.blocks(); b++) {
            outgoing.add(decomposition.outgoing(b));
            locate(b);
        }
    }

    /** Finds where in its core the values of a block's edges are. */
    private void locate(int block) {
        long[] core = decomposition.parts().get(block).core().indices(decomposition.unknowns());
        Map<Long, Integer> byIndex = new HashMap<>();
        for (int i = 0; i < core.length; i++) {
            byIndex.put(core[i], i);
        }
        for (Edge edge : outgoing(block)) {
            long[] wanted = edge.values().indices(decomposition.unknowns());
            int[] where = new int[wanted.length];
            for (int i = 0; i < where.length; i++) {
                where[i] = Objects.requireNonNull(byIndex.get(wanted[i]));
            }
            positions.put(new Pair(edge.from(), edge.to()), where);
        }
    }

    /** The values of a block's sources in a vector of which these are the parts; none if one is missing. */
    Optional<double[][]> halosOf(int block, Function<Integer, Optional<double[]>> core) {
        List<Edge> incoming = decomposition.incoming(block);
        double[][] halos = new double[incoming.size()][];
        for (int k = 0; k < halos.length; k++) {
            int from = incoming.get(k).from();
            Optional<double[]> values = core.apply(from);
            if (values.isEmpty()) {
                return Optional.empty();
            }
            halos[k] = edgeValues(from, block, values.get());
        }
        return Optional.of(halos);
    }

    /** Sets what kills and restarts workers. */
    public void setFaultInjector(FaultInjector injector) {
        faultInjector = injector;
    }

    FaultInjector faultInjector() {
        return Objects.requireNonNull(faultInjector);
    }

    /** A worker has started. */
    void add(SimulatedWorker node) {
        nodes.put(node.member.id(), node);
        daemons = null;
    }

    /** A worker has ended. */
    void remove(SimulatedWorker node) {
        nodes.remove(node.member.id());
        daemons = null;
    }

    /** Daemons that live, by id. */
    public List<SimulatedDaemon> daemons() {
        List<SimulatedDaemon> known = daemons;
        if (known == null) {
            known = nodes.values().stream()
                    .filter(SimulatedDaemon.class::isInstance)
                    .map(SimulatedDaemon.class::cast)
                    .toList();
            daemons = known;
        }
        return known;
    }

    /** Daemons that live, by id, except one. */
    List<SimulatedDaemon> others(SimulatedDaemon than) {
        List<SimulatedDaemon> all = daemons();
        int own = Collections.binarySearch(
                all, than, Comparator.comparing((SimulatedDaemon daemon) -> daemon.member.id()));
        return own < 0 ? all : new Except<>(all, own);
    }

    /** A list without one of its elements, which is not copied for it. */
    private static final class Except<T> extends AbstractList<T> {
        private final List<T> all;
        private final int left;

        Except(List<T> all, int left) {
            this.all = all;
            this.left = left;
        }

        @Override
        public T get(int index) {
            return all.get(index < left ? index : index + 1);
        }

        @Override
        public int size() {
            return all.size() - 1;
        }
    }

    /** Spawners that live, by id. */
    List<SimulatedSpawner> spawners() {
        return nodes.values().stream()
                .filter(SimulatedSpawner.class::isInstance)
                .map(SimulatedSpawner.class::cast)
                .toList();
    }

    /** Spawners that hold parts which are stored now: the leader, and the next ones in the ring. */
    List<SimulatedSpawner> partHolders() {
        List<SimulatedSpawner> ring = spawners();
        List<SimulatedSpawner> holders = new ArrayList<>();
        for (int leader = 0; leader < ring.size(); leader++) {
            for (int k = 0; leads(ring.get(leader)) && k < Math.min(scenario.spools(), ring.size()); k++) {
                holders.add(ring.get((leader + k) % ring.size()));
            }
        }
        return holders;
    }

    /** Whether the arbiter names this worker as the leader. */
    boolean leads(SimulatedWorker node) {
        return arbiter.leader().filter(node.member.id()::equals).isPresent();
    }

    /** Whether a copy of the result that is in pieces breaks off: the first two do. */
    boolean breaksCopy() {
        return scenario.defect() == InjectedFault.FETCHES_IN_PIECES && copies++ < BROKEN_COPIES;
    }

    /** Whether no spawner takes a part in time: the first ones that are to be stored. */
    boolean storeTimesOut() {
        return scenario.defect() == InjectedFault.STORES_TIME_OUT && stores++ < LATE_STORES;
    }

    /** What this node sends from now on is held up. */
    void holdUp(WorkerId sender) {
        slow = Optional.of(sender);
    }

    /** What was held up arrives now. */
    void releaseHeldUp() {
        slow = Optional.empty();
        heldUp.forEach(Runnable::run);
        heldUp.clear();
    }

    /** Nothing gets from one node to the other for a while. */
    void cut(WorkerId from, WorkerId to, long until) {
        cuts.merge(new Way(from, to), until, Math::max);
        checker.disturbed(until);
    }

    /** As {@link #cut}, both ways. */
    void separate(WorkerId one, WorkerId other, long until) {
        cut(one, other, until);
        cut(other, one, until);
    }

    boolean isCut(WorkerId from, WorkerId to) {
        return !cuts.isEmpty() && cuts.getOrDefault(new Way(from, to), 0L) > queue.now();
    }

    /** Values of an edge, out of its source's core. */
    double[] edgeValues(int from, int to, double[] core) {
        int[] where = positions.get(new Pair(from, to));
        if (where == null) {
            throw new IllegalArgumentException("no edge from block " + from + " to " + to);
        }
        double[] values = new double[where.length];
        for (int i = 0; i < where.length; i++) {
            values[i] = core[where[i]];
        }
        return values;
    }

    /** The edges that start at a block. */
    List<Edge> outgoing(int block) {
        return outgoing.get(block);
    }

    /** The node whose control link gets stuck, where one does. */
    boolean isCutOff(WorkerId node) {
        return node.equals(nodes.firstKey());
    }

    void frame(WorkerId from, WorkerId to, ReliableLink.Frame<Message> frame) {
        if (to.equals(ZOMBIE)) {
            if (frame.payload()
                    .filter(BlockMessage.StaleIncarnation.class::isInstance)
                    .isPresent()) {
                checker.staleMessageRefused();
            }
            return;
        }
        control(from, to, target -> target.onFrame(from, frame));
    }

    /** Sends a message of failure detection, over the network of all control messages. */
    void sendMembershipMessage(WorkerId from, WorkerId to, MembershipMessage.PeerMessage message) {
        control(from, to, target -> target.onMembershipMessage(from, message));
    }

    /** The host of a worker that ended refuses connections to it from now on. */
    void refuseConnections(WorkerId ended) {
        refusing.add(ended);
    }

    private void control(WorkerId from, WorkerId to, Consumer<SimulatedWorker> arrival) {
        if (refusing.contains(to) && !isCut(from, to)) {
            SimulatedWorker sender = nodes.get(from);
            if (sender != null) {
                sender.later(
                        2 * scenario.control().delay().toNanos(),
                        () -> sender.handle(new WorkerEvent.ConnectionReset(to)));
            }
            return;
        }
        boolean stuck =
                switch (scenario.defect()) {
                    case LINK_STUCK_FOREVER -> queue.now() > STUCK_FROM;
                    case LINK_STUCK_FOR_A_WHILE -> queue.now() > STUCK_FROM && queue.now() < STUCK_FROM + STUCK_FOR;
                    default -> false;
                };
        SimulatedWorker target = nodes.get(to);
        if (target != null && !(stuck && (isCutOff(from) || isCutOff(to))) && !isCut(from, to)) {
            Runnable carried =
                    () -> scenario.control().carry(queue, random, () -> target.run(() -> arrival.accept(target)));
            if (slow.filter(from::equals).isPresent()) {
                heldUp.add(carried);
            } else {
                carried.run();
            }
        }
    }

    void halo(WorkerId to, Halo halo) {
        boolean silent = scenario.defect() == InjectedFault.DEAF_EDGE
                && deaf.filter(edge -> halo.from() == edge.from() && halo.to() == edge.to())
                        .isPresent();
        boolean held = halo.key().iteration() % scenario.burst() != 0;
        if (!silent && !held && nodes.get(to) instanceof SimulatedDaemon daemon && !isCut(halo.sender(), to)) {
            scenario.data()
                    .carry(
                            queue,
                            random,
                            () -> daemon.run(() -> {
                                daemon.reachedBy(halo.sender());
                                daemon.halos.arrived(halo);
                            }));
        }
    }

    void recordedHalo(WorkerId from, WorkerId to, RecordedValues halo) {
        if (!(nodes.get(to) instanceof SimulatedDaemon daemon) || isCut(from, to)) {
            return;
        }
        scenario.data().carry(queue, random, () -> daemon.run(() -> daemon.snapshots.arrived(halo)));
        if (scenario.stale() && random.nextDouble() < MISLABELED) {
            RecordedBlock source = halo.source();
            double[] wrong = halo.values().clone();
            wrong[random.nextInt(wrong.length)] *= 1.5;
            RecordedBlock label = new RecordedBlock(source.block(), source.incarnation(), source.hash() + 1);
            scenario.data()
                    .carry(
                            queue,
                            random,
                            () -> daemon.run(() -> daemon.snapshots.arrived(
                                    new RecordedValues(halo.step(), halo.sid(), label, halo.to(), wrong))));
        }
    }

    /** A zombie goes on sending data under an incarnation that was replaced. */
    public void sendStaleData() {
        Edge edge =
                decomposition.edges().get(random.nextInt(decomposition.edges().size()));
        double[] values = new double[edge.values().size()];
        Arrays.fill(values, 1e3);
        Incarnation old = new Incarnation(new GroupTerm(0, ZOMBIE), 9);
        long iteration = 1_000_000_000L + random.nextInt(1000);
        Halo halo = new Halo(edge.from(), edge.to(), new BlockVersion(old, 0, iteration), values, ZOMBIE, true, 0);
        for (SimulatedWorker node : nodes.values()) {
            if (node instanceof SimulatedDaemon daemon) {
                daemon.reachedBy(ZOMBIE);
                daemon.halos.arrived(halo);
            }
        }
        queue.after(STALE_EVERY, this::sendStaleData);
    }
}
