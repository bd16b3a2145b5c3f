// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.machine.Action;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Keeps the workers that a machine has made reachable, and requests to forget those that it no longer needs. Most of them are dead:
 * without this a job that replaces workers all the time would connect to more and more addresses at which there is no process.
 *
 * <p>It sees no verdict, only who is needed, so it also finds workers on which this machine gets no verdict, such as the daemons of
 * other groups. Forgetting a live worker is safe: it can connect again, and a worker that was evicted by mistake then gets the
 * answer that it was evicted.
 */
public final class ReachablePeers {
    private final long period;
    private final Set<WorkerId> peers = new TreeSet<>();
    private long checkAt = Long.MIN_VALUE;

    /** @param period between two looks at who is needed; longer if there is no turn, as nothing depends on it */
    public ReachablePeers(Duration period) {
        this.period = period.toNanos();
    }

    /**
     * Takes the actions of a turn into account and, once in a period, forgets who is not needed; to be called at the end of each
     * turn.
     *
     * @param needed the workers that this machine sends to, or may send to without making them reachable before
     */
    public void update(Turn turn, Supplier<Set<WorkerId>> needed) {
        for (Action action : turn.actions()) {
            if (action instanceof WorkerAction.AddPeer added) {
                peers.add(added.member().id());
            }
        }
        if (turn.now() < checkAt) {
            return;
        }
        checkAt = turn.now() + period;
        Set<WorkerId> gone = new TreeSet<>(peers);
        gone.removeAll(needed.get());
        peers.removeAll(gone);
        gone.forEach(peer -> turn.add(new WorkerAction.ForgetPeer(peer)));
    }

    /** Entries held. */
    public int entries() {
        return peers.size();
    }
}
