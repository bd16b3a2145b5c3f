// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.ReplicaTransport;
import dev.volary.protocol.model.BackupHolder;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/** Carries the requests of a store over an Infinispan cluster. */
public final class InfinispanBackupStore {
    private InfinispanBackupStore() {}

    /**
     * The members of a group's cluster, which it joins in the background. Nothing of Infinispan is loaded before it is started.
     *
     * @param group name of the cluster, the same for all its members; at most 32 of them and their spawner
     * @param self this member; its address must be free here or from {@link #freePort}, and known to the others
     * @param held what this member keeps
     * @param tls with this member's certificate and trust in the job's authority, for both directions
     * @param joinAfter how long the list of members must have been the same before it joins
     */
    public static ReplicaTransport transport(
            String group, BackupHolder self, HeldReplicas held, SSLContext tls, Duration joinAfter) {
        return new InfinispanTransport(group, self, held, tls, joinAfter, JGroupsStack.JOIN);
    }

    /**
     * A free port for a member's address, one from which systems draw none for outgoing connections. It is kept for a store of
     * this process, until that listens there or is closed.
     *
     * @param host name or address of this machine
     * @throws IOException if there is none
     */
    public static int freePort(String host) throws IOException {
        return PortReservation.reserve(InetAddress.getByName(host)).getPort();
    }
}
