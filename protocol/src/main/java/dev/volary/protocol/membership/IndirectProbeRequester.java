// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Asks daemons whether they can reach a spawner that this one receives nothing from. Of two spawners, neither can distinguish a
 * dead peer from a cut cable. A daemon on this spawner's machine would lose the same cable, so it is asked only if the suspect
 * runs there too.
 */
public final class IndirectProbeRequester {
    private static final int MOST_ASKED = 5;
    /** A daemon that does not answer is dead as well, and each refused connection is an event that leads here again. */
    private static final int ASKED_IN_TIMEOUT = 20;

    private final Member self;
    private final long duration;
    private final long retry;
    private final TreeMap<WorkerId, Inquiry> probes = new TreeMap<>();

    private record Answer(boolean reached, long at) {}

    private static final class Inquiry {
        private final TreeMap<WorkerId, Long> asked = new TreeMap<>();
        private final TreeMap<WorkerId, Answer> answers = new TreeMap<>();
    }

    /** @param timeout of failure detection, in nanoseconds: answers count for this time */
    IndirectProbeRequester(Member self, long timeout) {
        this.self = self;
        this.duration = timeout;
        this.retry = Math.max(1, timeout / ASKED_IN_TIMEOUT);
    }

    /** Asks the daemons that have not answered, at most once in a retry period; may be called often. */
    void ask(Member spawner, Collection<Member> daemons, SpawnerTurn turn) {
        Inquiry inquiry = probes.computeIfAbsent(spawner.id(), id -> new Inquiry());
        inquiry.answers.values().removeIf(answer -> turn.now() - answer.at >= duration);
        inquiry.asked.values().removeIf(at -> turn.now() - at >= retry);
        List<Member> independent = daemons.stream()
                .filter(daemon -> self.believes(daemon, spawner))
                .sorted(Comparator.comparing((Member daemon) -> !daemon.isOnAnotherMachine(spawner))
                        .thenComparing(daemon -> daemon.zone().equals(self.zone()))
                        .thenComparing(Member::id))
                .limit(MOST_ASKED)
                .toList();
        for (Member daemon : independent) {
            if (!inquiry.answers.containsKey(daemon.id()) && !inquiry.asked.containsKey(daemon.id())) {
                inquiry.asked.put(daemon.id(), turn.now());
                turn.add(new WorkerAction.AddPeer(daemon));
                turn.send(daemon.id(), new MembershipMessage.Probe(spawner.id()));
            }
        }
        inquiry.asked.values().forEach(at -> turn.wakeAt(at + retry));
    }

    void answered(WorkerId daemon, MembershipMessage.ProbeAnswer answer, long now) {
        Inquiry inquiry = probes.get(answer.suspect());
        if (inquiry != null && (inquiry.answers.size() < MOST_ASKED || inquiry.answers.containsKey(daemon))) {
            inquiry.answers.put(daemon, new Answer(!answer.refused() && answer.silentNanos() == 0, now));
            inquiry.asked.remove(daemon);
        }
    }

    /** A message of the spawner was received, or it is in the ring no longer. */
    void forget(WorkerId spawner) {
        probes.remove(spawner);
    }

    /** Whether an independent daemon cannot reach the spawner either, and no daemon can. */
    boolean isConfirmed(WorkerId spawner, long now) {
        Inquiry inquiry = probes.get(spawner);
        Collection<Answer> answers = inquiry == null ? List.of() : inquiry.answers.values();
        return answers.stream().anyMatch(answer -> now - answer.at < duration)
                && answers.stream().noneMatch(answer -> answer.reached && now - answer.at < duration);
    }

    int entries() {
        return probes.values().stream()
                .mapToInt(inquiry -> inquiry.asked.size() + inquiry.answers.size())
                .sum();
    }
}
