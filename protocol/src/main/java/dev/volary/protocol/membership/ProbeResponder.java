// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.WorkerId;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;

/**
 * Answers members of the group that probe a suspect: at once with what this member knows, and again when the suspect answers a
 * probe of this member or refuses its connection. The suspect itself refutes.
 */
final class ProbeResponder {
    private final MembershipView view;
    private final TreeMap<WorkerId, Set<WorkerId>> waitingProbers = new TreeMap<>();

    ProbeResponder(MembershipView view) {
        this.view = view;
    }

    /** Another member probes a suspect. One that is silent here too is probed, and the other member waits for the result. */
    void probed(WorkerId from, WorkerId suspect, Turn turn) {
        if (suspect.equals(view.self)) {
            view.send(from, new MembershipMessage.Refutation(), turn);
            return;
        }
        if (!view.has(suspect)) {
            return;
        }
        PeerState peerState = view.peer(suspect);
        long silent = peerState.silentNanos(turn.now());
        answer(from, peerState, silent, turn);
        if (silent > view.config.probeNanos()) {
            waitingProbers.computeIfAbsent(suspect, id -> new LinkedHashSet<>()).add(from);
            view.send(suspect, new MembershipMessage.Probe(suspect), turn);
        }
    }

    /** A message of a member arrived, or its connection was refused: answers the members that wait for that. */
    void answerWaiting(PeerState suspect, Turn turn) {
        Set<WorkerId> waiting = waitingProbers.remove(suspect.id);
        if (waiting != null) {
            for (WorkerId asker : waiting) {
                answer(asker, suspect, suspect.silentNanos(turn.now()), turn);
            }
        }
    }

    /** Sends what this member knows of a suspect, whose newest sign of life is this many nanoseconds old. */
    void answer(WorkerId to, PeerState suspect, long silentNanos, Turn turn) {
        long delay = view.delayNanos(suspect, turn.now());
        view.send(to, new MembershipMessage.ProbeAnswer(suspect.id, silentNanos, suspect.isRefused(), delay), turn);
    }

    /** Forgets probes of former members. */
    void retain() {
        waitingProbers.keySet().removeIf(id -> !view.has(id));
    }

    int entries() {
        return waitingProbers.values().stream().mapToInt(Set::size).sum();
    }
}
