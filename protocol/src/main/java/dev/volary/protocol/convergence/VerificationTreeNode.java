// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import dev.volary.protocol.message.DetectionMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One block in the verification tree of Bahi and Charr (docs/explanation/convergence-detection.md, "the verification tree"). A
 * block that has converged, and has received this vote from all of its tree neighbors but one, votes to that one. The block
 * that has received it from all is elected, and lets all blocks verify; if all pass, it claims that the job has converged.
 * Whatever fails begins the next normal phase.
 *
 * <p>Phases are numbered over all verifications and crashes, even ones are normal. A message of an earlier phase is void, one
 * of a later phase is answered when that has come.
 */
public final class VerificationTreeNode {
    private final int self;
    private final List<Integer> neighbors;
    private final Set<Integer> partial = new TreeSet<>();
    private final Map<Integer, Boolean> answers = new TreeMap<>();
    private final List<DetectionMessage.Vote> outgoing = new ArrayList<>();
    private int phase;
    private Optional<Boolean> own = Optional.empty();
    private boolean sent;
    /** The neighbor that it has voted to; if that one has voted to it too, the larger number is elected. */
    private int votedFor;

    private boolean elected;
    private boolean claims;
    private Optional<Integer> asker = Optional.empty();

    VerificationTreeNode(int self, List<Integer> neighbors) {
        this.self = self;
        this.neighbors = List.copyOf(neighbors);
    }

    int phase() {
        return phase;
    }

    List<Integer> neighbors() {
        return neighbors;
    }

    /** Whether all have passed the verification that this node began. */
    boolean claims() {
        return claims;
    }

    /** What to send since the last call. */
    List<DetectionMessage.Vote> drain() {
        List<DetectionMessage.Vote> votes = List.copyOf(outgoing);
        outgoing.clear();
        return votes;
    }

    /** How the block's pseudo-period went. */
    void elapsed(int of, boolean passed) {
        if (of == phase && own.isEmpty()) {
            own = Optional.of(passed);
            proceed();
        }
    }

    /** A neighbor votes; returns whether the vote was taken, or is void, and must not be repeated. */
    boolean received(DetectionMessage.Vote vote) {
        if (vote.kind() == DetectionMessage.VoteKind.RESTART) {
            if (vote.phase() > phase) {
                restart(vote.phase(), Optional.of(vote.from()));
            }
            return true;
        }
        boolean verify = vote.kind() == DetectionMessage.VoteKind.VERIFY;
        int due = verify ? vote.phase() - 1 : vote.phase();
        if (due > phase || (verify && due == phase && !sent)) {
            return false;
        }
        if (due == phase) {
            switch (vote.kind()) {
                case PARTIAL -> partial.add(vote.from());
                case VERIFY -> {
                    asker = Optional.of(vote.from());
                    verify(Optional.of(vote.from()));
                }
                case PASSED -> answers.put(vote.from(), true);
                case FAILED -> answers.put(vote.from(), false);
                case RESTART -> {}
            }
            proceed();
        }
        return true;
    }

    /** A neighbor's block was reassigned, or the claim was refused: whatever was found out is void. */
    void restart() {
        restart(phase + 2 - (phase & 1), Optional.empty());
    }

    private void restart(int newPhase, Optional<Integer> not) {
        phase = newPhase;
        begin();
        partial.clear();
        sent = false;
        elected = false;
        asker = Optional.empty();
        sendToNeighbors(DetectionMessage.VoteKind.RESTART, not);
    }

    private void begin() {
        own = Optional.empty();
        answers.clear();
        claims = false;
    }

    private void verify(Optional<Integer> not) {
        phase++;
        begin();
        sent = false;
        sendToNeighbors(DetectionMessage.VoteKind.VERIFY, not);
    }

    private void proceed() {
        if ((phase & 1) == 1) {
            answer();
            return;
        }
        if (!own.orElse(false)) {
            return;
        }
        List<Integer> missing =
                neighbors.stream().filter(n -> !partial.contains(n)).toList();
        if (missing.size() == 1 && !sent) {
            sent = true;
            send(missing.getFirst(), DetectionMessage.VoteKind.PARTIAL);
        } else if (missing.isEmpty() && (!sent || votedFor < self)) {
            elected = true;
            verify(Optional.empty());
        }
    }

    private void answer() {
        boolean failed = own.filter(passed -> !passed).isPresent() || answers.containsValue(false);
        boolean all = neighbors.stream()
                .filter(n -> asker.filter(n::equals).isEmpty())
                .allMatch(answers::containsKey);
        if (elected) {
            if (failed) {
                restart();
            } else if (own.isPresent() && all) {
                claims = true;
            }
        } else if (!sent && asker.isPresent() && (failed || (own.isPresent() && all))) {
            sent = true;
            send(asker.get(), failed ? DetectionMessage.VoteKind.FAILED : DetectionMessage.VoteKind.PASSED);
        }
    }

    private void sendToNeighbors(DetectionMessage.VoteKind kind, Optional<Integer> not) {
        neighbors.stream().filter(n -> not.filter(n::equals).isEmpty()).forEach(n -> send(n, kind));
    }

    private void send(int to, DetectionMessage.VoteKind kind) {
        votedFor = kind == DetectionMessage.VoteKind.PARTIAL ? to : votedFor;
        outgoing.add(new DetectionMessage.Vote(self, to, kind, phase));
    }
}
