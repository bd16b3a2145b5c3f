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
 * What daemons say of another spawner that it does not hear itself. Between two spawners nobody else can tell a
 * dead one from a cut cable. A daemon of this one's machine would lose the same cable, so it is not asked, unless the other
 * spawner is there as well.
 */
public final class IndirectProbeRequester {
    private static final int MOST = 5;
    /** Who does not answer is dead as well, and each refused connection is an event that leads here again. */
    private static final int ASKED_IN_TIMEOUT = 20;

    private final Member self;
    private final long duration;
    private final long retry;
    private final TreeMap<WorkerId, Inquiry> probes = new TreeMap<>();

    private record Testimony(boolean hears, long at) {}

    private static final class Inquiry {
        private final TreeMap<WorkerId, Long> asked = new TreeMap<>();
        private final TreeMap<WorkerId, Testimony> said = new TreeMap<>();
    }

    /**
     * @param timeout of the watch: what was said is of use for so long, in nanoseconds
     */
    IndirectProbeRequester(Member self, long timeout) {
        this.self = self;
        this.duration = timeout;
        this.retry = Math.max(1, timeout / ASKED_IN_TIMEOUT);
    }

    /** Asks those that have not answered, now and then; may be called often. */
    void ask(Member spawner, Collection<Member> daemons, SpawnerTurn turn) {
        Inquiry inquiry = probes.computeIfAbsent(spawner.id(), id -> new Inquiry());
        inquiry.said.values().removeIf(word -> turn.now() - word.at >= duration);
        inquiry.asked.values().removeIf(at -> turn.now() - at >= retry);
        List<Member> elsewhere = daemons.stream()
                .filter(daemon -> self.believes(daemon, spawner))
                .sorted(Comparator.comparing((Member daemon) -> !daemon.elsewhere(spawner))
                        .thenComparing(daemon -> daemon.zone().equals(self.zone()))
                        .thenComparing(Member::id))
                .limit(MOST)
                .toList();
        for (Member daemon : elsewhere) {
            if (!inquiry.said.containsKey(daemon.id()) && !inquiry.asked.containsKey(daemon.id())) {
                inquiry.asked.put(daemon.id(), turn.now());
                turn.add(new WorkerAction.AddPeer(daemon));
                turn.send(daemon.id(), new MembershipMessage.Probe(spawner.id()));
            }
        }
        inquiry.asked.values().forEach(at -> turn.wakeAt(at + retry));
    }

    void answered(WorkerId daemon, MembershipMessage.ProbeAnswer answer, long now) {
        Inquiry inquiry = probes.get(answer.suspect());
        if (inquiry != null && (inquiry.said.size() < MOST || inquiry.said.containsKey(daemon))) {
            inquiry.said.put(daemon, new Testimony(!answer.refused() && answer.silentNanos() == 0, now));
            inquiry.asked.remove(daemon);
        }
    }

    /** The spawner was heard, or is in the ring no longer. */
    void forget(WorkerId spawner) {
        probes.remove(spawner);
    }

    /** Whether somebody elsewhere does not hear it either, and nobody hears it. */
    boolean confirm(WorkerId spawner, long now) {
        Inquiry inquiry = probes.get(spawner);
        Collection<Testimony> words = inquiry == null ? List.of() : inquiry.said.values();
        return words.stream().anyMatch(word -> now - word.at < duration)
                && words.stream().noneMatch(word -> word.hears && now - word.at < duration);
    }

    int entries() {
        return probes.values().stream()
                .mapToInt(inquiry -> inquiry.asked.size() + inquiry.said.size())
                .sum();
    }
}
