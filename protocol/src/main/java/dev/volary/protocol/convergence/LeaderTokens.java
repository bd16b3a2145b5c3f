// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Detection in the synchronous scheme (docs/explanation/convergence-detection.md, "the token"), at the leader: the token asks one
 * and the same iteration of all blocks, comes back with the conjunction of their tests, and is sent again for a later one. It
 * travels down and up the tree of groups, so it takes two hops where a chain of blocks takes as many as there are blocks.
 *
 * <p>Blocks that pass wait at their test, so when all do, the snapshot records the vector of that iteration; refused, it lets
 * them go on.
 */
public final class LeaderTokens {
    private final long retry;
    private final TreeMap<GroupTerm, WorkerId> groups = new TreeMap<>();
    private final Set<GroupTerm> passed = new TreeSet<>();
    private int epoch;
    private Optional<Long> asked = Optional.empty();
    private boolean agreed;
    private long repeatAt;

    /** Of the groups of a plan, which begins with this epoch. */
    public LeaderTokens(Duration retry, TakeoverMessage.Plan plan, int epoch) {
        this.retry = retry.toNanos();
        this.epoch = epoch;
        plan.groups().stream()
                .filter(group -> !group.blocks().isEmpty())
                .forEach(group -> groups.put(group.term(), group.spawner().id()));
    }

    /** All blocks roll back: their answers are void. */
    public void rolledBack(int newEpoch) {
        epoch = newEpoch;
        asked = Optional.empty();
        agreed = false;
        passed.clear();
    }

    /** A block has passed its test and waits. The earliest of several tests is asked for first. */
    public void held(DetectionMessage.TestPassed held, SpawnerTurn turn) {
        boolean earlier = asked.isEmpty() || held.iteration() < asked.get();
        if (held.epoch() == epoch && !agreed && earlier) {
            asked = Optional.of(held.iteration());
            passed.clear();
            repeatAt = turn.now();
            tick(turn);
        }
    }

    /** A group answers; returns whether all blocks have passed now, and wait. */
    public boolean answered(DetectionMessage.GroupTestAnswer answer, SpawnerTurn turn) {
        boolean current = answer.epoch() == epoch
                && !agreed
                && asked.filter(a -> a == answer.iteration()).isPresent();
        if (!current || !groups.containsKey(answer.term())) {
            return false;
        }
        if (!answer.passed()) {
            proceed(turn);
            return false;
        }
        passed.add(answer.term());
        agreed = passed.size() == groups.size();
        return agreed;
    }

    /** The snapshot of the agreed iteration is not good enough. */
    public void refused(SpawnerTurn turn) {
        if (agreed) {
            proceed(turn);
        }
    }

    /** Repeats the question to those that did not answer. */
    public void tick(SpawnerTurn turn) {
        if (asked.isEmpty() || agreed) {
            return;
        }
        if (turn.now() >= repeatAt) {
            repeatAt = turn.now() + retry;
            for (Map.Entry<GroupTerm, WorkerId> group : groups.entrySet()) {
                if (!passed.contains(group.getKey())) {
                    turn.send(group.getValue(), new DetectionMessage.TestQuery(epoch, asked.get()));
                }
            }
        }
        turn.wakeAt(repeatAt);
    }

    /** Entries held. */
    public int entries() {
        return groups.size() + passed.size();
    }

    private void proceed(SpawnerTurn turn) {
        long from = asked.orElseThrow();
        groups.values().forEach(owner -> turn.send(owner, new DetectionMessage.Proceed(epoch, from)));
        asked = Optional.empty();
        agreed = false;
        passed.clear();
    }
}
