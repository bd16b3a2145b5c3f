// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A daemon's blocks in the verification tree. Votes are repeated until they are acknowledged, so a block that has just moved
 * receives them late, but always.
 *
 * <p>A replaced block has forgotten its votes, and its data are older than they were. Of the crash rules
 * (docs/explanation/convergence-detection.md, "replaced blocks") this is the one that needs no records: a block that learns of
 * a new incarnation of a neighbor begins the next normal phase, which spreads through the tree. What was claimed before is
 * void; that a claim was right is for the snapshot.
 */
public final class TreeDetector implements DaemonDetector {
    private record Way(int from, int to, DetectionMessage.VoteKind kind) {}

    private final List<List<Integer>> tree;
    private final BlockDirectory directory;
    private final WorkerId self;
    private final long retry;
    private final TreeMap<Integer, VerificationTreeNode> nodes = new TreeMap<>();
    private final Map<Integer, Incarnation> incarnations = new HashMap<>();
    private final Map<Integer, Integer> phases = new HashMap<>();
    /** In order: hashes of enums differ from process to process, and the same events must give the same actions. */
    private final Map<Way, DetectionMessage.Vote> unacknowledged = new LinkedHashMap<>();

    private long repeatAt;

    /**
     * @param directory who serves the neighbors
     */
    public TreeDetector(WorkerId self, JobGraph graph, BlockDirectory directory, Duration retry) {
        this.self = self;
        this.tree = SpanningTree.of(graph);
        this.directory = directory;
        this.retry = retry.toNanos();
    }

    /** A block of this daemon is open. */
    @Override
    public void opened(int block, Incarnation incarnation, DaemonTurn turn) {
        nodes.put(block, new VerificationTreeNode(block, tree.get(block)));
        phases.remove(block);
        served(block, incarnation, turn);
    }

    /** A block is no longer served here. */
    @Override
    public void dropped(int block) {
        nodes.remove(block);
        phases.remove(block);
        unacknowledged.keySet().removeIf(way -> way.from() == block);
    }

    /** A block is served under this incarnation. */
    @Override
    public void served(int block, Incarnation incarnation, DaemonTurn turn) {
        Incarnation before = incarnations.put(block, incarnation);
        if (before != null && before.compareTo(incarnation) < 0) {
            nodes.values().stream()
                    .filter(node -> node.neighbors().contains(block))
                    .forEach(VerificationTreeNode::restart);
        }
        settle(turn);
    }

    /** How a block's pseudo-period went. */
    @Override
    public void elapsed(DaemonEvent.PhaseElapsed event, DaemonTurn turn) {
        VerificationTreeNode node = nodes.get(event.block());
        if (node != null && event.incarnation().equals(incarnations.get(event.block()))) {
            node.elapsed(event.phase(), event.passed());
            settle(turn);
        }
    }

    /** Takes a message from the daemon of a neighbor's block. */
    @Override
    public void received(WorkerId from, DetectionMessage.Neighbor message, DaemonTurn turn) {
        switch (message) {
            case DetectionMessage.Vote vote -> voteReceived(from, vote, turn);
            case DetectionMessage.VoteAck ack -> acknowledged(ack);
        }
    }

    /** Another daemon's block votes. */
    private void voteReceived(WorkerId from, DetectionMessage.Vote vote, DaemonTurn turn) {
        VerificationTreeNode node = nodes.get(vote.to());
        if (node != null && node.received(vote)) {
            turn.send(from, new DetectionMessage.VoteAck(vote));
            settle(turn);
        }
    }

    /** A vote of this daemon's was acknowledged. */
    private void acknowledged(DetectionMessage.VoteAck ack) {
        unacknowledged.remove(
                new Way(ack.vote().from(), ack.vote().to(), ack.vote().kind()), ack.vote());
    }

    /** A snapshot was taken, and the job goes on: the claim it may have been taken for was wrong. */
    @Override
    public void refused(DaemonTurn turn) {
        nodes.values().stream().filter(VerificationTreeNode::claims).forEach(VerificationTreeNode::restart);
        settle(turn);
    }

    /** Repeats what was not acknowledged. */
    @Override
    public void tick(Optional<WorkerId> owner, DaemonTurn turn) {
        Optional<VerificationTreeNode> claiming =
                nodes.values().stream().filter(VerificationTreeNode::claims).findFirst();
        if (unacknowledged.isEmpty() && claiming.isEmpty()) {
            return;
        }
        if (turn.now() >= repeatAt) {
            repeatAt = turn.now() + retry;
            unacknowledged.values().forEach(vote -> send(vote, turn));
            if (claiming.isPresent() && owner.isPresent()) {
                turn.send(
                        owner.get(),
                        new DetectionMessage.ConvergenceClaim(claiming.get().phase()));
            }
        }
        turn.wakeAt(repeatAt);
    }

    /** Entries held. */
    @Override
    public int entries() {
        return nodes.size() + incarnations.size() + phases.size() + unacknowledged.size();
    }

    /** Delivers votes until no block of this daemon has any to send; then blocks enter their phases. */
    private void settle(DaemonTurn turn) {
        boolean changed = true;
        while (changed) {
            changed = false;
            for (VerificationTreeNode node : List.copyOf(nodes.values())) {
                for (DetectionMessage.Vote vote : node.drain()) {
                    changed = true;
                    unacknowledged.put(new Way(vote.from(), vote.to(), vote.kind()), vote);
                    send(vote, turn);
                }
            }
            for (DetectionMessage.Vote vote : List.copyOf(unacknowledged.values())) {
                VerificationTreeNode here = nodes.get(vote.to());
                if (here != null && here.received(vote)) {
                    unacknowledged.remove(new Way(vote.from(), vote.to(), vote.kind()), vote);
                    changed = true;
                }
            }
        }
        nodes.forEach((block, node) -> {
            Integer before = phases.put(block, node.phase());
            Incarnation incarnation = incarnations.get(block);
            if (incarnation != null && (before == null || before != node.phase())) {
                turn.add(new DaemonAction.BeginPhase(block, incarnation, node.phase()));
            }
        });
    }

    private void send(DetectionMessage.Vote vote, DaemonTurn turn) {
        directory
                .daemonOf(vote.to())
                .filter(daemon -> !daemon.equals(self))
                .ifPresent(daemon -> turn.send(daemon, vote));
    }
}
