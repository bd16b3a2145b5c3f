// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The leader's plan: blocks to groups, in consecutive ranges by work, group size and memory. */
public final class JobPlanner {

    /**
     * How many workers the plan waits for.
     *
     * @param daemons expected
     * @param minimumDaemons needed once the timeout is over
     * @param spawners expected
     * @param timeout of the wait for all
     * @param patience how much longer it waits for those that are needed
     */
    public record Quorum(int daemons, int minimumDaemons, int spawners, Duration timeout, Duration patience) {

        /** One that gives up when the time for all is over. */
        public Quorum(int daemons, int minimumDaemons, int spawners, Duration timeout) {
            this(daemons, minimumDaemons, spawners, timeout, Duration.ZERO);
        }
    }

    private final JobGraph graph;
    private final Quorum quorum;
    private final long retry;
    private final long term;
    private final long lessAt;
    private final long giveUpAt;
    private final TreeMap<WorkerId, ProgressMessage.GroupReport> reports = new TreeMap<>();
    private final Set<WorkerId> acknowledged = new HashSet<>();
    private Optional<TakeoverMessage.Plan> plan = Optional.empty();
    private long repeatAt = Long.MAX_VALUE;

    /** Of a leader that starts now. */
    public JobPlanner(JobGraph graph, Quorum quorum, Duration retry, long leaderTerm, long now) {
        this.graph = graph;
        this.quorum = quorum;
        this.retry = retry.toNanos();
        this.term = leaderTerm;
        this.lessAt = now + quorum.timeout().toNanos();
        this.giveUpAt = lessAt + quorum.patience().toNanos();
    }

    /** A group reports its members. */
    public void report(ProgressMessage.GroupReport report) {
        reports.put(report.spawner().id(), report);
    }

    /** A spawner is dead: nothing is planned for it, and nothing is sent to it any more. Its daemons come with another one. */
    public void lost(WorkerId spawner) {
        reports.remove(spawner);
    }

    /** Announces the plan, which is in the log. */
    public void announce(SpawnerTurn turn) {
        repeatAt = turn.now();
        repeat(turn);
    }

    /** Progress of a group: it has the plan. */
    public void progress(WorkerId spawner) {
        acknowledged.add(spawner);
    }

    /**
     * Plans when it can, repeats the plan until it is acknowledged.
     *
     * @return why there can be no plan, if so
     */
    public Optional<String> tick(SpawnerTurn turn) {
        if (plan.isEmpty()) {
            int registered = distinct();
            boolean all = registered >= quorum.daemons() && reports.size() >= quorum.spawners();
            // Where something is computed already, a missing worker may compute the rest of it.
            int held = held().size();
            boolean complete = held == 0 ? all : held == graph.blocks().size();
            if (complete || (turn.now() >= lessAt && registered >= quorum.minimumDaemons())) {
                Optional<String> misfit = share(turn);
                if (misfit.isEmpty() || complete || turn.now() >= giveUpAt) {
                    return misfit;
                }
            } else if (turn.now() >= giveUpAt) {
                return Optional.of(registered + " of " + quorum.daemons() + " daemons and " + reports.size() + " of "
                        + quorum.spawners() + " spawners registered within "
                        + quorum.timeout().plus(quorum.patience()) + ", at least "
                        + quorum.minimumDaemons()
                        + " daemons are needed; look at the log of a missing worker, or expect fewer");
            }
            turn.wakeAt(turn.now() < lessAt ? lessAt : giveUpAt);
        } else {
            repeat(turn);
        }
        return Optional.empty();
    }

    private void repeat(SpawnerTurn turn) {
        if (acknowledged.containsAll(reports.keySet())) {
            return;
        }
        if (turn.now() >= repeatAt) {
            repeatAt = turn.now() + retry;
            for (WorkerId spawner : reports.keySet()) {
                if (!acknowledged.contains(spawner)) {
                    turn.send(spawner, plan.orElseThrow());
                }
            }
        }
        turn.wakeAt(repeatAt);
    }

    /** The plan, once there is one. */
    public Optional<TakeoverMessage.Plan> plan() {
        return plan;
    }

    /** Entries held. */
    public int entries() {
        return reports.values().stream().mapToInt(r -> 1 + r.daemons().size()).sum() + acknowledged.size();
    }

    private int distinct() {
        Set<WorkerId> ids = new HashSet<>();
        reports.values().forEach(report -> report.daemons().forEach(daemon -> ids.add(daemon.id())));
        return ids.size();
    }

    /** More daemons than expected: the last names stand by. */
    private void leaveOut(List<Member> daemons, List<Member> owners) {
        List<Member> standbys = daemons.stream()
                .sorted(DaemonReservations.BY_NAME)
                .skip(quorum.daemons())
                .toList();
        for (Member standby : standbys) {
            owners.remove(daemons.indexOf(standby));
            daemons.remove(standby);
        }
    }

    /** What daemons compute that have lost all spawners that knew of it: the newest of each block. */
    private Map<Integer, BlockAssignment> held() {
        Map<Integer, BlockAssignment> held = new TreeMap<>();
        for (ProgressMessage.GroupReport report : reports.values()) {
            report.held()
                    .forEach(entry -> held.merge(
                            entry.block(), entry, (a, b) -> a.incarnation().compareTo(b.incarnation()) >= 0 ? a : b));
        }
        return held;
    }

    /** Groups around what is computed already, under a term above all known ones; the rest goes where little is. */
    private List<TakeoverMessage.GroupPlan> around(Map<Integer, BlockAssignment> held) {
        long n = term;
        for (BlockAssignment entry : held.values()) {
            n = Math.max(n, entry.incarnation().term().n() + 1);
        }
        TreeMap<WorkerId, TreeSet<Integer>> blocks = new TreeMap<>();
        for (ProgressMessage.GroupReport report : reports.values()) {
            TreeSet<Integer> own = new TreeSet<>();
            report.held().stream().filter(held::containsValue).forEach(entry -> own.add(entry.block()));
            blocks.put(report.spawner().id(), own);
        }
        for (int block = 0; block < graph.blocks().size(); block++) {
            if (!held.containsKey(block)) {
                blocks.entrySet().stream()
                        .min(Comparator.comparingDouble(
                                e -> crowd(e.getKey(), e.getValue().size())))
                        .orElseThrow()
                        .getValue()
                        .add(block);
            }
        }
        List<TakeoverMessage.GroupPlan> groups = new ArrayList<>();
        for (ProgressMessage.GroupReport report : reports.values()) {
            Member spawner = report.spawner();
            List<Integer> own = List.copyOf(blocks.getOrDefault(spawner.id(), new TreeSet<>()));
            groups.add(new TakeoverMessage.GroupPlan(new GroupTerm(n, spawner.id()), spawner, own, 0));
        }
        return groups;
    }

    /** Blocks for each daemon of a group; infinite if it has none. */
    private double crowd(WorkerId spawner, int blocks) {
        ProgressMessage.GroupReport report = reports.get(spawner);
        return report == null || report.daemons().isEmpty()
                ? Double.POSITIVE_INFINITY
                : (double) blocks / report.daemons().size();
    }

    private Optional<String> share(SpawnerTurn turn) {
        Map<Integer, BlockAssignment> held = held();
        if (!held.isEmpty()) {
            made(around(held), distinct(), turn);
            return Optional.empty();
        }
        List<Member> daemons = new ArrayList<>();
        List<Member> owners = new ArrayList<>();
        Set<WorkerId> seen = new HashSet<>();
        for (ProgressMessage.GroupReport report : reports.values()) {
            for (Member daemon : report.daemons()) {
                if (seen.add(daemon.id())) {
                    daemons.add(daemon);
                    owners.add(report.spawner());
                }
            }
        }
        leaveOut(daemons, owners);
        List<Integer> blocks = IntStream.range(0, graph.blocks().size()).boxed().toList();
        Optional<List<List<Integer>>> shares = BlockDistribution.of(graph, blocks, daemons);
        if (shares.isEmpty()) {
            return Optional.of(BlockDistribution.reason(graph, blocks, daemons));
        }
        TreeMap<WorkerId, List<Integer>> byOwner = new TreeMap<>();
        TreeMap<WorkerId, Integer> sizes = new TreeMap<>();
        int working = 0;
        for (int d = 0; d < daemons.size(); d++) {
            sizes.merge(owners.get(d).id(), 1, Integer::sum);
            byOwner.computeIfAbsent(owners.get(d).id(), id -> new ArrayList<>())
                    .addAll(shares.get().get(d));
            working += shares.get().get(d).isEmpty() ? 0 : 1;
        }
        List<TakeoverMessage.GroupPlan> groups = new ArrayList<>();
        for (ProgressMessage.GroupReport report : reports.values()) {
            Member spawner = report.spawner();
            List<Integer> own = byOwner.getOrDefault(spawner.id(), List.of());
            int computing = sizes.getOrDefault(spawner.id(), 0);
            groups.add(new TakeoverMessage.GroupPlan(new GroupTerm(term, spawner.id()), spawner, own, computing));
        }
        made(groups, working, turn);
        return Optional.empty();
    }

    private void made(List<TakeoverMessage.GroupPlan> groups, int working, SpawnerTurn turn) {
        plan = Optional.of(new TakeoverMessage.Plan(term, groups));
        int nonEmpty = (int) groups.stream().filter(g -> !g.blocks().isEmpty()).count();
        turn.emit(new JobEvent.Planned(graph.blocks().size(), nonEmpty, working));
    }
}
