// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.Stop;
import java.util.Optional;

/**
 * Ends the job for this spawner and its group, and for all other spawners if it leads. From then on a spawner answers messages
 * with {@link Stop} only, so that a worker that missed the end stops as well.
 */
final class JobEnd {
    private final KnownSpawners spawners;
    private final SpawnerLeadership leadership;
    private final GroupMembers groupMembers;
    private Optional<Stop> stop = Optional.empty();

    JobEnd(KnownSpawners spawners, SpawnerLeadership leadership, GroupMembers groupMembers) {
        this.spawners = spawners;
        this.leadership = leadership;
        this.groupMembers = groupMembers;
    }

    boolean isOver() {
        return stop.isPresent();
    }

    /** How the job ended, once it is over. */
    Optional<Stop> stop() {
        return stop;
    }

    /** This spawner leads and has ended the job. */
    void finish(JobOutcome outcome, SpawnerTurn turn) {
        Optional<String> reason =
                outcome instanceof JobOutcome.Failed failed ? Optional.of(failed.reason()) : Optional.empty();
        stop(new Stop(reason), turn);
    }

    /** The job is over. */
    void stop(Stop message, SpawnerTurn turn) {
        stop = Optional.of(message);
        if (leadership.leads()) {
            spawners.ids().forEach(id -> turn.send(id, message));
        }
        groupMembers.members().forEach(daemon -> turn.send(daemon.id(), message));
    }

    /** Answers a message after the end, unless the answer could cause another message. */
    void answer(SpawnerEvent event, SpawnerTurn turn) {
        if (event instanceof SpawnerEvent.Received received
                && !(received.message() instanceof Stop)
                && !(received.message() instanceof RegistrationMessage.Evicted)
                && !(received.message() instanceof MembershipMessage.PeerMessage)) {
            turn.send(received.from(), stop.orElseThrow());
        }
    }
}
