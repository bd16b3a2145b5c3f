package dev.volary.checkpoint.infinispan;

import dev.volary.checkpoint.CheckpointStore;
import dev.volary.checkpoint.StoreSettings;
import dev.volary.checkpoint.replica.ReplicatedStore;
import dev.volary.protocol.Holder;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLContext;

/** Opens stores whose copies lie in the memory of an Infinispan cluster. */
public final class InfinispanStore {
    private static final int LOWEST_PORT = 20_000;
    private static final int HIGHEST_PORT = 32_768; // where Linux begins with those of connections
    private static final int ATTEMPTS = 100;

    private InfinispanStore() {}

    /**
     * A store that joins its group in the background. Nothing of Infinispan is loaded before that.
     *
     * @param group name of the cluster, the same for all its members; at most 32 of them and their spawner
     * @param self this member; its address must be free here, see {@link #freePort}, and known to the others
     * @param tls with this member's certificate and trust in the job's authority, for both directions
     * @param joinAfter pause between the first list of members and joining, so that a job of a few seconds never pays for it
     */
    public static CheckpointStore open(
            String group, Holder self, SSLContext tls, StoreSettings settings, Duration joinAfter) {
        return new ReplicatedStore(self, settings, new ClusterPeers(group, self, tls, joinAfter, ClusterChannel.JOIN));
    }

    /**
     * A port that was free a moment ago, for a member's address: one from which systems draw none for outgoing connections, as
     * the member listens there only seconds later.
     *
     * @param host name or address of this machine
     * @throws IOException if there is none
     */
    public static int freePort(String host) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        for (int attempt = 1; ; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
            try (ServerSocket free = new ServerSocket(port, 1, address)) {
                return free.getLocalPort();
            } catch (BindException taken) {
                if (attempt == ATTEMPTS) {
                    throw taken;
                }
            }
        }
    }
}
