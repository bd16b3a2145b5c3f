// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.List;

/** What both machines want done, the daemon's and the spawner's. */
public sealed interface WorkerAction extends DaemonAction, SpawnerAction {

    /** Send a control message: reliably, in order on the link. */
    record Send(WorkerId to, Message message) implements WorkerAction {}

    /** Make this worker reachable: later sends name only its id. */
    record AddPeer(Member member) implements WorkerAction {}

    /**
     * This worker is not needed: do not connect to it, and drop what waits for it once it cannot be reached. An open connection
     * stays, and it may connect again.
     */
    record ForgetPeer(WorkerId peer) implements WorkerAction {}

    /** Open this worker's part of the checkpoint store, in the background; answered by {@link WorkerEvent.BackupStoreOpened}. */
    record OpenBackupStore() implements WorkerAction {}

    /** Who keeps copies in the group now, this worker among them or not. */
    record UpdateHolders(List<BackupHolder> holders) implements WorkerAction {
        public UpdateHolders {
            holders = List.copyOf(holders);
        }
    }

    /** This worker was declared dead: end all that it does, then start as a new worker under a new identity. */
    record Restart() implements WorkerAction {}
}
