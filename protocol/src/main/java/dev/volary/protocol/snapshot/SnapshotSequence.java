// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.stepping.StepLog;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Numbers the snapshots of one leader and asks the groups for them, one after the other. A number is larger than all earlier ones
 * of the job, those of earlier leaders included. Each snapshot is of the groups as they are when it opens.
 */
final class SnapshotSequence {
    /** Snapshot numbers of a leader's term start here times its term less one, so they grow from leader to leader. */
    private static final long PER_TERM = 1L << 32;

    private final long retry;
    private final long term;
    private final StepLog log;
    private List<OpenSnapshot.Group> groups;
    /** Open or not; before the first one only its number counts. */
    private OpenSnapshot newest;

    /**
     * @param retry after which groups that did not answer are asked again
     * @param log of committed steps, which the leader has read
     * @param step that the blocks must be in, from 1; 0 for a stationary problem
     */
    SnapshotSequence(Duration retry, TakeoverMessage.Plan plan, StepLog log, int step) {
        this.retry = retry.toNanos();
        this.groups = OpenSnapshot.Group.of(plan.groups());
        this.term = plan.leaderTerm();
        this.log = log;
        this.newest = of(firstSid(), step, 0);
    }

    /**
     * The range of a leader's numbers. A step that is committed may be of another job, which this one goes on from: numbers are
     * above its number, too.
     */
    private long firstSid() {
        return PER_TERM
                * log.newest().map(record -> record.sid() / PER_TERM + term).orElse(term - 1);
    }

    /** A snapshot of the groups as they are now. */
    private OpenSnapshot of(long sid, int step, long now) {
        return new OpenSnapshot(sid, step, groups, retry, now);
    }

    /** The newest snapshot, open or not. */
    OpenSnapshot newest() {
        return newest;
    }

    /** Takes the groups of the next snapshots; returns whether they are others now. */
    boolean regrouped(List<TakeoverMessage.GroupPlan> owned) {
        List<OpenSnapshot.Group> next = OpenSnapshot.Group.of(owned);
        if (Set.copyOf(next).equals(Set.copyOf(groups))) {
            return false;
        }
        groups = next;
        return true;
    }

    /** The owners of the groups that have blocks. */
    List<WorkerId> owners() {
        return groups.stream().map(OpenSnapshot.Group::owner).toList();
    }

    /** With the log lost, its newest step may have been reported after this leader began to count: numbers go on above it. */
    void skipLogged(int step, long now) {
        newest = of(Math.max(newest.sid(), firstSid()), step, now);
    }

    /** Opens the next snapshot. */
    void open(int step, SpawnerTurn turn) {
        newest = of(newest.sid() + 1, step, turn.now());
        newest.ask(turn);
    }

    /** The newest snapshot has closed with this residual and does not end the job: the groups drop its records. */
    void discard(double residual, SpawnerTurn turn) {
        owners().forEach(owner -> turn.send(owner, new SnapshotMessage.Discard(newest.sid(), residual)));
    }
}
