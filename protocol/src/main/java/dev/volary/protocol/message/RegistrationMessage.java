// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;

/** How daemons join a group, change it, and leave the job. */
public sealed interface RegistrationMessage {

    /** From a daemon to a spawner. */
    sealed interface Request extends RegistrationMessage, ToSpawner {}

    /**
     * A daemon offers itself to a spawner, or reports its owner to a spawner. Repeated until answered.
     *
     * @param owner the spawner the daemon has chosen; none while it is free. A spawner counts a daemon only once it is named,
     *     and lets go of one that names another: answers that cross on a slow network cannot put a daemon into two groups
     */
    record Register(Member daemon, Optional<WorkerId> owner) implements Request {}

    /**
     * A daemon is about to end and takes no more blocks. Repeated until {@link Evicted}.
     *
     * @param busy its blocks whose last values are not in a backup yet; all others can be moved without a lost iteration
     */
    record Leaving(WorkerId daemon, List<Integer> busy) implements Request {
        public Leaving {
            busy = List.copyOf(busy);
        }
    }

    /**
     * A daemon's group has declared its spawner dead. A receiver that suspects the spawner too offers the daemon a place
     * ({@link Registered}); repeated to others until then, or until a message of the spawner arrives.
     */
    record SpawnerLost(Member daemon, WorkerId spawner) implements Request {}

    /** From a spawner to a daemon. */
    sealed interface Reply extends RegistrationMessage, ToDaemon {}

    /** The spawner has reserved the daemon for its group. */
    record Registered(GroupTerm term) implements Reply {}

    /** The spawner's group is full: try another. */
    record RegisterElsewhere(Member spawner) implements Reply {}

    /**
     * The receiver does not belong to the job any more: it was declared dead, or has handed everything over. Messages under
     * this identity are never accepted again.
     */
    record Evicted() implements Reply, ToSpawner {}

    /**
     * The sender has taken the daemon's group over. Blocks go on under the incarnations they have; the daemon obeys the term
     * if it is above that of its owner until now, and answers with {@link Register}. Repeated until then.
     */
    record GroupAdopted(GroupTerm term) implements Reply {}

    /** To a daemon, by its owner: belong to this spawner instead. */
    record TransferDaemon(Member spawner) implements Reply {}
}
