// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.List;

/** What happens to both machines, the daemon's and the spawner's. */
public sealed interface WorkerEvent extends DaemonEvent, SpawnerEvent {

    /** A sign from the platform, the network or an acknowledgement that another worker lives or is dead. */
    sealed interface PeerEvent extends WorkerEvent {

        /** The other worker. */
        WorkerId peer();
    }

    /** Time has passed; given at least every {@link Turn#wakeUp()} and whenever it suits. */
    record Tick() implements WorkerEvent {}

    /** The spawners that can be reached, from the job's discovery (headless Service, or the parent process). */
    record SpawnersFound(List<Member> spawners) implements WorkerEvent {
        public SpawnersFound {
            spawners = List.copyOf(spawners);
        }
    }

    /**
     * An acknowledgement arrived: the peer lives, and has received what was sent to it until then.
     *
     * @param sentAt when the newest acknowledged message was sent, by the machine's clock
     */
    record Acknowledged(WorkerId peer, long sentAt) implements PeerEvent {}

    /** A connection to this worker was reset or refused: its process has probably ended. */
    record ConnectionReset(WorkerId peer) implements PeerEvent {}

    /** The failure detector's verdicts; those of one window come as one batch, and may be wrong. */
    record Verdicts(List<FailureVerdict> lost) implements WorkerEvent {
        public Verdicts {
            lost = List.copyOf(lost);
        }
    }

    /** The platform reports that this worker has ended: a hint, not a verdict. */
    record PlatformHint(WorkerId peer) implements PeerEvent {}

    /** This worker can keep copies for others. */
    record BackupStoreOpened(BackupHolder self) implements WorkerEvent {}
}
