// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Failure detection for a group, standbys included, as its owner does it. It begins a while after the first plan: a short job
 * is over before any member has connected for it.
 */
public final class GroupMonitor {
    /** A group is taken over by then, or its spawner did not die alone. */
    private static final int LOST_SPAWNER_TIMEOUTS = 5;

    /** A spawner that was lost. */
    private record LostSpawner(Member spawner, long until) {}

    private final Member self;
    private final long memory;
    private final long delay;
    private final FailureDetector detector;
    private final MemberListPublisher publisher;
    private final List<LostSpawner> lostSpawners = new ArrayList<>();
    private Set<WorkerId> monitored = Set.of();
    private boolean planned;
    private long beginAt = Long.MAX_VALUE;

    public GroupMonitor(Member self, SpawnerConfig config, long seed) {
        this.self = self;
        this.delay = config.watch().timeout().toNanos() / 2;
        this.memory = LOST_SPAWNER_TIMEOUTS * config.watch().timeout().toNanos();
        this.detector = new FailureDetector(self.id(), config.watch(), seed);
        this.publisher = new MemberListPublisher(self.id(), config.retry());
    }

    /** There is a plan. */
    public void planned(long now) {
        if (!planned) {
            planned = true;
            beginAt = now + delay;
        }
    }

    public void on(WorkerEvent.PeerEvent event, SpawnerTurn turn) {
        detector.on(event, turn);
    }

    public void arrived(WorkerId from, Message message, SpawnerTurn turn) {
        detector.arrived(from, message, turn);
    }

    /** A message arrived from a worker on another machine, of this group or not: if all daemons are silent, it is not this machine. */
    public void arrivedFromElsewhere(long now) {
        detector.arrivedFromElsewhere(now);
    }

    public void acknowledged(WorkerId daemon, long version) {
        publisher.acknowledged(daemon, version);
    }

    /** A daemon registers as if it were free: it has lost the member list, which is sent again. */
    public void registeredAgain(WorkerId daemon, long now) {
        publisher.sendAgain(daemon, now);
    }

    /** A spawner is lost. If daemons of its machine come into this group now, they may be lost as well. */
    public void spawnerLost(Member spawner, long now) {
        lostSpawners.removeIf(before -> now >= before.until());
        lostSpawners.add(new LostSpawner(spawner, now + memory));
    }

    /** Monitors the daemons there are now; returns the verdicts on them. */
    public List<FailureVerdict> tick(List<Member> daemons, SpawnerTurn turn) {
        if (!planned || turn.now() < beginAt) {
            turn.wakeAt(beginAt);
            return List.of();
        }
        List<Member> members = new ArrayList<>(daemons);
        members.addFirst(self);
        if (publisher.set(0, members, turn.now())) {
            detector.updateMembers(publisher.memberList(), turn);
            probeNewcomers(daemons, turn.now());
        }
        publisher.tick(turn);
        return detector.tick(turn).stream()
                .filter(verdict -> !verdict.member().equals(self.id()))
                .toList();
    }

    private void probeNewcomers(List<Member> daemons, long now) {
        lostSpawners.removeIf(spawner -> now >= spawner.until());
        for (Member daemon : daemons) {
            boolean mayBeDeadToo =
                    lostSpawners.stream().anyMatch(lost -> !lost.spawner().isOnAnotherMachine(daemon));
            if (mayBeDeadToo && !monitored.contains(daemon.id())) {
                detector.suspect(daemon.id(), now);
            }
        }
        monitored = daemons.stream().map(Member::id).collect(Collectors.toSet());
    }

    public int entries() {
        return detector.entries() + publisher.entries() + lostSpawners.size();
    }
}
