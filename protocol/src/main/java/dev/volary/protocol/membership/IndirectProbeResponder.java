// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Answers a spawner that asks whether this daemon can reach another spawner. The daemon probes that spawner and reports the
 * result: an answer at once, silence after several probes.
 */
public final class IndirectProbeResponder {
    /** Silence after one probe may be a pause of this process; silence after this many cannot be. */
    private static final int QUESTIONS = 5;

    private final long period;
    private final TreeMap<WorkerId, Question> openProbes = new TreeMap<>();

    private record Question(WorkerId asker, long since, int asked, long againAt) {}

    /** @param timeout of failure detection, in nanoseconds; silence is reported after half of it */
    public IndirectProbeResponder(long timeout) {
        this.period = Math.max(1, timeout / 2 / QUESTIONS);
    }

    /** A spawner asks this daemon to probe another spawner. */
    public void asked(WorkerId asker, WorkerId spawner, long now) {
        openProbes.putIfAbsent(spawner, new Question(asker, now, 0, now));
    }

    /** A message or an acknowledgement arrived. */
    public void received(WorkerId from, DaemonTurn turn) {
        answer(from, 0, false, turn);
    }

    /** A connection to the peer was refused. */
    public void refused(WorkerId peer, DaemonTurn turn) {
        answer(peer, Long.MAX_VALUE, true, turn);
    }

    private void answer(WorkerId spawner, long silent, boolean refused, DaemonTurn turn) {
        Question question = openProbes.remove(spawner);
        if (question != null) {
            turn.send(question.asker, new MembershipMessage.ProbeAnswer(spawner, silent, refused, 0));
        }
    }

    /** @param allowance in nanoseconds, by which silence is reported later because this daemon runs late */
    public void tick(long allowance, DaemonTurn turn) {
        for (Map.Entry<WorkerId, Question> each : List.copyOf(openProbes.entrySet())) {
            WorkerId spawner = each.getKey();
            Question question = each.getValue();
            boolean isPatient =
                    question.asked < QUESTIONS || turn.now() - question.since < QUESTIONS * period + allowance;
            if (turn.now() >= question.againAt && !isPatient) {
                answer(spawner, turn.now() - question.since, false, turn);
            } else if (turn.now() >= question.againAt) {
                turn.send(spawner, new MembershipMessage.Probe(spawner));
                openProbes.put(
                        spawner, new Question(question.asker, question.since, question.asked + 1, turn.now() + period));
                turn.wakeAt(turn.now() + period);
            } else {
                turn.wakeAt(question.againAt);
            }
        }
    }

    /** The spawners that are probed, and those that asked. */
    public Set<WorkerId> peers() {
        Set<WorkerId> peers = new TreeSet<>(openProbes.keySet());
        openProbes.values().forEach(question -> peers.add(question.asker));
        return peers;
    }

    public int entries() {
        return openProbes.size();
    }
}
