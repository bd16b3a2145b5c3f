// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import dev.volary.backup.BackupStore;
import dev.volary.backup.StoreSettings;
import dev.volary.backup.replica.ReplicatedBackupStore;
import dev.volary.protocol.model.BackupHolder;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/** Opens stores whose copies lie in the memory of an Infinispan cluster. */
public final class InfinispanBackupStore {
    private InfinispanBackupStore() {}

    /**
     * A store that joins its group in the background. Nothing of Infinispan is loaded before that.
     *
     * @param group name of the cluster, the same for all its members; at most 32 of them and their spawner
     * @param self this member; its address must be free here or from {@link #freePort}, and known to the others
     * @param tls with this member's certificate and trust in the job's authority, for both directions
     * @param joinAfter pause between the first list of members and joining, so that a job of a few seconds never pays for it
     */
    public static BackupStore open(
            String group, BackupHolder self, SSLContext tls, StoreSettings settings, Duration joinAfter) {
        return new ReplicatedBackupStore(
                self, settings, new InfinispanTransport(group, self, tls, joinAfter, JGroupsStack.JOIN));
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
