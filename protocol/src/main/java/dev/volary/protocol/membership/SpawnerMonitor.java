// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Failure detection among the spawners; the leader owns it. A verdict on a spawner must be certain (decision 13): it needs
 * the word of a third spawner, a refused connection, the word of the spawner's own daemons, or that of daemons that are
 * elsewhere. Without any of these it is held, until the silence has lasted for so long that nobody else can be waited for: a
 * leader without daemons of its own has no witness.
 */
public final class SpawnerMonitor {
    /** In a ring of at most so many everybody watches everybody. */
    private static final int ALL_WATCH = 3;

    /** A held verdict counts after so many time-outs. */
    private static final int LONG_SILENCE = 10;

    private final Member self;
    private final FailureDetectorConfig config;
    private final long seed;
    private final MemberListPublisher publisher;
    private FailureDetector detector;
    private MembershipMessage.MemberListUpdate newest;
    private long term;
    private long beginAt = Long.MAX_VALUE;
    private final TreeMap<WorkerId, Long> heardAt = new TreeMap<>();
    private final Set<WorkerId> refused = new TreeSet<>();
    /** When verdicts were found that nobody confirms. */
    private final TreeMap<WorkerId, Long> held = new TreeMap<>();

    private final IndirectProbeRequester probes;

    public SpawnerMonitor(Member self, SpawnerConfig job, long seed) {
        this.self = self;
        this.config = FailureDetectorConfig.confirmed(2, job.watch().timeout());
        this.seed = seed;
        this.publisher = new MemberListPublisher(self.id(), job.retry());
        this.detector = new FailureDetector(self.id(), config, seed);
        this.newest = new MembershipMessage.MemberListUpdate(0, self.id(), List.of());
        this.probes = new IndirectProbeRequester(self, config.timeout().toNanos());
    }

    /** A message arrived from a spawner. */
    public void arrived(WorkerId spawner, Message message, SpawnerTurn turn) {
        lives(spawner, turn);
        detector.arrived(spawner, message, turn);
    }

    /** Something says whether a spawner lives. */
    public void on(WorkerEvent.PeerEvent event, SpawnerTurn turn) {
        switch (event) {
            case WorkerEvent.Acknowledged acknowledged -> lives(acknowledged.peer(), turn);
            case WorkerEvent.ConnectionReset reset -> refused.add(reset.peer());
            // The platform may be wrong: only the detector below weighs what it says.
            case WorkerEvent.PlatformHint hint -> {}
        }
        detector.on(event, turn);
    }

    private void lives(WorkerId spawner, SpawnerTurn turn) {
        heardAt.put(spawner, turn.now());
        refused.remove(spawner);
        probes.forget(spawner);
        if (held.remove(spawner) != null) {
            // It lives after all: it is watched again.
            detector = new FailureDetector(self.id(), config, seed);
            detector.members(MemberListPublisher.members(newest), turn);
        }
    }

    /** The leader says who is in the ring; returns who is no longer. */
    public Set<WorkerId> members(MembershipMessage.MemberListUpdate update, SpawnerTurn turn) {
        turn.send(update.owner(), new MembershipMessage.MemberListAck(update.version()));
        return update.version() > newest.version() ? take(update, turn) : Set.of();
    }

    /** What a daemon says of a spawner that it was asked about. */
    public void answered(WorkerId daemon, MembershipMessage.ProbeAnswer answer, long now) {
        probes.answered(daemon, answer, now);
    }

    public void acknowledged(WorkerId spawner, long version) {
        publisher.acknowledged(spawner, version);
    }

    private Set<WorkerId> take(MembershipMessage.MemberListUpdate update, SpawnerTurn turn) {
        Set<WorkerId> gone = new TreeSet<>();
        newest.members().forEach(member -> gone.add(member.id()));
        update.members().forEach(member -> gone.remove(member.id()));
        newest = update;
        detector.members(MemberListPublisher.members(update), turn);
        heardAt.keySet().removeAll(gone);
        refused.removeAll(gone);
        held.keySet().removeAll(gone);
        gone.forEach(probes::forget);
        return gone;
    }

    /**
     * Watches over the spawners there are now.
     *
     * @param leader of this term
     * @param others all but this one
     * @param daemons of this one, and of others as far as they are known
     * @return those that are certainly gone
     */
    public Set<WorkerId> tick(
            WorkerId leader,
            long newestTerm,
            Collection<Member> others,
            Supplier<Collection<Member>> daemons,
            SpawnerTurn turn) {
        if (newestTerm > term) {
            term = newestTerm;
            beginAt = turn.now() + config.timeout().toNanos() / 2;
        }
        if (turn.now() < beginAt) {
            turn.wakeAt(beginAt);
        } else if (leader.equals(self.id())) {
            if (publisher.set(term, withSelf(others), turn.now())) {
                MembershipMessage.MemberListUpdate update = new MembershipMessage.MemberListUpdate(
                        publisher.members().version(), leader, withSelf(others));
                Set<WorkerId> unusedAsWeSaySo = take(update, turn);
            }
            publisher.tick(turn);
        } else if (newest.version() < MemberListPublisher.first(term)) {
            // The leader may be dead before it has said anything.
            MembershipMessage.MemberListUpdate own =
                    new MembershipMessage.MemberListUpdate(MemberListPublisher.first(term), leader, withSelf(others));
            Set<WorkerId> unusedAsNobodySaysSo = take(own, turn);
        }
        // Before its first word a worker may be cold and its connection slow.
        others.forEach(other -> heardAt.putIfAbsent(
                other.id(), turn.now() + LONG_SILENCE * config.timeout().toNanos()));
        Set<WorkerId> thirds = thirds(others);
        if (thirds.size() < 2) {
            // Each of many spawners hears but a few of the others, and their watchers confirm what happens to them.
            others.stream()
                    .filter(other -> isSilent(other.id(), turn.now()) && !hasThird(thirds, other.id()))
                    .forEach(other -> probes.ask(other, daemons.get(), turn));
        }
        Set<WorkerId> certain = new TreeSet<>();
        long bound = LONG_SILENCE * config.timeout().toNanos();
        held.forEach((suspect, since) -> {
            if (refused.contains(suspect) || probes.confirm(suspect, turn.now()) || turn.now() - since >= bound) {
                certain.add(suspect);
            } else {
                turn.wakeAt(since + bound);
            }
        });
        held.keySet().removeAll(certain);
        for (FailureVerdict verdict : detector.tick(turn)) {
            WorkerId suspect = verdict.member();
            boolean third = hasThird(thirds(others), suspect);
            // A verdict on this one: whoever declared it tells it so.
            if (!suspect.equals(self.id())) {
                if (third || refused.contains(suspect) || probes.confirm(suspect, turn.now())) {
                    certain.add(suspect);
                } else {
                    held.put(suspect, turn.now());
                }
            }
        }
        return certain;
    }

    /** Two of those whose word counts if it is about another; all of them if there are fewer. */
    private Set<WorkerId> thirds(Collection<Member> others) {
        return others.stream()
                .map(Member::id)
                .filter(id -> !held.containsKey(id) && !refused.contains(id))
                .limit(2)
                .collect(Collectors.toSet());
    }

    private static boolean hasThird(Set<WorkerId> thirds, WorkerId suspect) {
        return thirds.stream().anyMatch(id -> !id.equals(suspect));
    }

    /** Whether this spawner, too, has reason to take another for gone. */
    public boolean doubts(WorkerId spawner, long now) {
        boolean silent = newest.members().size() <= ALL_WATCH && isSilent(spawner, now);
        return held.containsKey(spawner) || refused.contains(spawner) || silent;
    }

    /** Whether a spawner of another machine is heard, the suspect not counted: then it is not this one's cable. */
    public boolean isConnected(Collection<Member> others, WorkerId suspect, long now) {
        return others.stream()
                .anyMatch(other -> !other.id().equals(suspect) && self.elsewhere(other) && !isSilent(other.id(), now));
    }

    private boolean isSilent(WorkerId spawner, long now) {
        return now - heardAt.getOrDefault(spawner, Long.MIN_VALUE / 2)
                >= config.timeout().toNanos() / 2;
    }

    public int entries() {
        return detector.entries()
                + publisher.entries()
                + newest.members().size()
                + heardAt.size()
                + refused.size()
                + held.size()
                + probes.entries();
    }

    private List<Member> withSelf(Collection<Member> others) {
        List<Member> all = new ArrayList<>(others);
        all.addFirst(self);
        return all;
    }
}
