// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A daemon's share of the {@link LeaderTokens}: reports when a block has passed its test and waits, until
 * {@link DetectionMessage.Proceed}. A block that is past an iteration has not passed the test there.
 */
public final class DaemonTokens implements DaemonDetector {
    private final long retry;
    private final TreeMap<Integer, Incarnation> blocks = new TreeMap<>();
    private final TreeMap<Integer, Long> held = new TreeMap<>();
    private long repeatAt;

    /** With questions repeated after {@code retry}. */
    public DaemonTokens(Duration retry) {
        this.retry = retry.toNanos();
    }

    /** A block is open. */
    @Override
    public void opened(int block, Incarnation incarnation, DaemonTurn turn) {
        blocks.put(block, incarnation);
        held.remove(block);
    }

    /** A block is no longer served here. */
    @Override
    public void dropped(int block) {
        blocks.remove(block);
        held.remove(block);
    }

    /** A block has come to an iteration that it is tested after. */
    @Override
    public void tested(DaemonEvent.StepTested event, Optional<WorkerId> owner, DaemonTurn turn) {
        if (!event.incarnation().equals(blocks.get(event.block()))) {
            return;
        }
        if (event.passed() && held.put(event.block(), event.iteration()) == null) {
            repeatAt = turn.now();
        }
        if (event.asked()) {
            answer(event.block(), event.incarnation(), event.iteration(), event.passed(), owner, turn);
        }
    }

    @Override
    public void received(DetectionMessage.Command message, Optional<WorkerId> owner, DaemonTurn turn) {
        switch (message) {
            case DetectionMessage.TestQuery query -> query(query, owner, turn);
            case DetectionMessage.Proceed proceed -> proceed(proceed, turn);
        }
    }

    /** The leader asks for an iteration. */
    private void query(DetectionMessage.TestQuery query, Optional<WorkerId> owner, DaemonTurn turn) {
        blocks.forEach((block, incarnation) -> {
            if (incarnation.counter() != query.epoch()) {
                return;
            }
            Long waits = held.get(block);
            if (waits != null && waits >= query.iteration()) {
                answer(block, incarnation, query.iteration(), waits == query.iteration(), owner, turn);
            } else {
                turn.add(new DaemonAction.TestStep(block, incarnation, query.iteration()));
            }
        });
    }

    /** Blocks that wait there go on. */
    private void proceed(DetectionMessage.Proceed message, DaemonTurn turn) {
        for (Map.Entry<Integer, Long> waiting : new TreeMap<>(held).entrySet()) {
            Incarnation incarnation = blocks.get(waiting.getKey());
            if (incarnation != null
                    && incarnation.counter() == message.epoch()
                    && waiting.getValue() <= message.iteration()) {
                held.remove(waiting.getKey());
                turn.add(new DaemonAction.ReleaseBlock(waiting.getKey(), incarnation, waiting.getValue()));
            }
        }
    }

    /** Says again that blocks wait. */
    @Override
    public void tick(Optional<WorkerId> owner, DaemonTurn turn) {
        if (held.isEmpty()) {
            return;
        }
        if (turn.now() >= repeatAt) {
            repeatAt = turn.now() + retry;
            Map.Entry<Integer, Long> first =
                    held.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
            Incarnation incarnation = blocks.get(first.getKey());
            if (incarnation != null && owner.isPresent()) {
                turn.send(owner.get(), new DetectionMessage.TestPassed(incarnation.counter(), first.getValue()));
            }
        }
        turn.wakeAt(repeatAt);
    }

    /** Entries held. */
    @Override
    public int entries() {
        return blocks.size() + held.size();
    }

    private static void answer(
            int block,
            Incarnation incarnation,
            long iteration,
            boolean passed,
            Optional<WorkerId> owner,
            DaemonTurn turn) {
        owner.ifPresent(
                to -> turn.send(to, new DetectionMessage.TestAnswer(incarnation.counter(), block, iteration, passed)));
    }
}
