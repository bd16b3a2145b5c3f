// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.backup.BackupStore;
import dev.volary.backup.BackupStoreContract;
import dev.volary.backup.Group;
import dev.volary.backup.StoreSettings;
import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.ReplicaKey;
import dev.volary.backup.replica.ReplicatedBackupStore;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.JobTrustManager;
import dev.volary.mesh.tls.TlsContexts;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** The contract, on several members of Infinispan in this JVM with a worker's certificates. */
class InfinispanBackupStoreTest extends BackupStoreContract {
    private static final Duration WARM = Duration.ofMillis(400); // no cold handshakes within one JVM

    @Override
    protected Group group() throws Exception {
        return new Members(new CertificateAuthority("default", "checkpoint"));
    }

    private static SSLContext tls(CertificateAuthority authority, String name) throws GeneralSecurityException {
        Identity identity = authority.issue("daemon", name);
        return TlsContexts.context(identity, new JobTrustManager(identity, (peer, reason) -> {}));
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("default", "checkpoint");
        QuietLogging.install();
        int port = InfinispanBackupStore.freePort("127.0.0.1");
        JGroupsStack channel = new JGroupsStack(
                "a",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                tls(authority, "daemon-1"),
                WARM,
                true);
        var socket = channel.createChannel("g");
        socket.connect("g");
        try {
            assertTrue(answers(tls(authority, "daemon-2"), port));
            assertFalse(answers(tls(new CertificateAuthority("default", "other"), "daemon-2"), port));
        } finally {
            socket.close();
        }
    }

    /** Whether the connection stays open after the handshake; in TLS 1.3 a refusal of the client comes after it. */
    private static boolean answers(SSLContext context, int port) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(1000);
            socket.startHandshake();
            socket.getInputStream().read();
            return false;
        } catch (SocketTimeoutException open) {
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static final class Members implements Group {
        private final CertificateAuthority authority;
        private final Map<WorkerId, InfinispanTransport> peers = new HashMap<>();
        private final Map<WorkerId, ConcurrentMap<ReplicaKey, byte[]>> copies = new HashMap<>();
        private final List<BackupStore> stores = new ArrayList<>();
        private final String name = "group-" + System.nanoTime();

        Members(CertificateAuthority authority) {
            this.authority = authority;
        }

        @Override
        public BackupStore open(BackupHolder member, StoreSettings settings) throws Exception {
            ConcurrentMap<ReplicaKey, byte[]> frames = new ConcurrentHashMap<>();
            InfinispanTransport joining = new InfinispanTransport(
                    name,
                    member,
                    new HeldReplicas(frames),
                    tls(authority, "daemon-" + member.id()),
                    Duration.ZERO,
                    WARM);
            copies.put(member.id(), frames);
            peers.put(member.id(), joining);
            stores.add(new ReplicatedBackupStore(member, settings, joining));
            return stores.getLast();
        }

        @Override
        public BackupHolder holder(long id, String host, String zone) throws IOException {
            return new BackupHolder(
                    new WorkerId(id),
                    host,
                    zone,
                    new Address("127.0.0.1", InfinispanBackupStore.freePort("127.0.0.1")));
        }

        private InfinispanCluster cluster(WorkerId member) {
            return Optional.ofNullable(peers.get(member))
                    .flatMap(InfinispanTransport::cluster)
                    .orElseThrow();
        }

        @Override
        public ConcurrentMap<ReplicaKey, byte[]> copiesOf(WorkerId member) {
            return Optional.ofNullable(copies.get(member)).orElseThrow();
        }

        @Override
        public void kill(WorkerId member) {
            cluster(member).closeSockets();
        }

        @Override
        public void close() {
            peers.values()
                    .forEach(p -> p.cluster()
                            .ifPresent(InfinispanCluster::closeSockets)); // without waiting for an orderly leave
            stores.forEach(BackupStore::close);
        }
    }
}
