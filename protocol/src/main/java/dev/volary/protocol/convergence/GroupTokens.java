// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A group's share of the {@link LeaderTokens}: one answer for all of its blocks; the first that fails answers for all. */
public final class GroupTokens {
    private final long retry;
    private final BlockDirectory directory;
    private final GroupTerm term;
    private final List<Integer> blocks;
    private final Set<Integer> passed = new TreeSet<>();
    private Optional<DetectionMessage.TestQuery> query = Optional.empty();
    private boolean failed;
    private long repeatAt;

    /**
     * @param directory who serves the blocks
     */
    public GroupTokens(Duration retry, BlockDirectory directory, GroupTerm term, List<Integer> blocks) {
        this.retry = retry.toNanos();
        this.directory = directory;
        this.term = term;
        this.blocks = List.copyOf(blocks);
    }

    public void received(DetectionMessage.Command message, WorkerId leader, SpawnerTurn turn) {
        switch (message) {
            case DetectionMessage.TestQuery asked -> query(leader, asked, turn);
            case DetectionMessage.Proceed proceed -> proceed(proceed, turn);
        }
    }

    /** The leader asks, or misses this group's answer. */
    private void query(WorkerId leader, DetectionMessage.TestQuery asked, SpawnerTurn turn) {
        if (query.filter(asked::equals).isEmpty()) {
            query = Optional.of(asked);
            passed.clear();
            failed = false;
            repeatAt = turn.now();
            tick(turn);
        } else {
            answer(leader, turn);
        }
    }

    /** A block's test. */
    public void answered(WorkerId leader, DetectionMessage.TestAnswer answer, SpawnerTurn turn) {
        boolean current = query.filter(q -> q.epoch() == answer.epoch() && q.iteration() == answer.iteration())
                .isPresent();
        if (current) {
            failed |= !answer.passed();
            if (answer.passed()) {
                passed.add(answer.block());
            }
            answer(leader, turn);
        }
    }

    /** Waiting blocks go on. */
    private void proceed(DetectionMessage.Proceed message, SpawnerTurn turn) {
        query = Optional.empty();
        daemons().forEach(daemon -> turn.send(daemon, message));
    }

    /** Repeats the question. */
    public void tick(SpawnerTurn turn) {
        if (query.isEmpty() || failed || passed.size() == blocks.size()) {
            return;
        }
        if (turn.now() >= repeatAt) {
            repeatAt = turn.now() + retry;
            daemons().forEach(daemon -> turn.send(daemon, query.get()));
        }
        turn.wakeAt(repeatAt);
    }

    /** Entries held. */
    public int entries() {
        return passed.size();
    }

    private void answer(WorkerId leader, SpawnerTurn turn) {
        if (failed || passed.size() == blocks.size()) {
            DetectionMessage.TestQuery asked = query.orElseThrow();
            turn.send(leader, new DetectionMessage.GroupTestAnswer(term, asked.epoch(), asked.iteration(), !failed));
        }
    }

    private Set<WorkerId> daemons() {
        Set<WorkerId> daemons = new LinkedHashSet<>();
        blocks.forEach(block -> directory.daemonOf(block).ifPresent(daemons::add));
        return daemons;
    }
}
