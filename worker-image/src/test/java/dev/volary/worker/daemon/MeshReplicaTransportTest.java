// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.backup.BackupStore;
import dev.volary.backup.BlockBackup;
import dev.volary.backup.PutOutcome;
import dev.volary.backup.StoreSettings;
import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.HolderReply;
import dev.volary.backup.replica.HolderRequest;
import dev.volary.backup.replica.ReplicaCodec;
import dev.volary.backup.replica.ReplicaKey;
import dev.volary.backup.replica.ReplicaKind;
import dev.volary.backup.replica.ReplicatedBackupStore;
import dev.volary.mesh.Mesh;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.spawnerapi.SpawnerGrpcService;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.SpiffeId;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MeshReplicaTransportTest {
    private static final int BLOCK = 7;
    private static final int VALUE_BYTES = 5 << 20;

    private final List<Worker> workers = new ArrayList<>();
    private CertificateAuthority authority;

    @BeforeEach
    void authorise() throws Exception {
        authority = new CertificateAuthority("default", "replicas");
    }

    @AfterEach
    void close() {
        workers.forEach(Worker::close);
    }

    @Test
    void aReplicaIsWrittenAtOnceAndFoundByAWorkerThatHasJustStarted() throws Exception {
        Worker owner = new Worker(1);
        Worker holder = new Worker(2);
        list(owner, holder);
        ByteBuffer value = ByteBuffer.allocate(VALUE_BYTES).putLong(VALUE_BYTES - 8, 4711);
        assertEquals(new PutOutcome.Stored(1), get(owner.store.put(BLOCK, version(3), value)));
        owner.close();
        Worker standby = new Worker(3);
        list(holder, standby);
        BlockBackup found = get(standby.store.newest(BLOCK)).orElseThrow();
        assertEquals(version(3), found.version());
        assertEquals(4711, found.value().getLong(VALUE_BYTES - 8));
    }

    @Test
    void aHolderThatIsNoLongerListedIsNotAsked() throws Exception {
        Worker owner = new Worker(1);
        Worker holder = new Worker(2);
        list(owner, holder);
        HolderRequest look = new HolderRequest.Look(new ReplicaKey(ReplicaKind.DATA, BLOCK));
        assertEquals(List.of(holder.self.id()), owner.reachable());
        assertEquals(new HolderReply.Nothing(), get(owner.transport.ask(holder.self.id(), look)));
        list(owner);
        assertEquals(List.of(), owner.reachable());
        ExecutionException refused =
                assertThrows(ExecutionException.class, () -> get(owner.transport.ask(holder.self.id(), look)));
        assertTrue(String.valueOf(refused.getMessage())
                .endsWith("member " + holder.self.id() + " is not listed, or does not answer over the mesh"));
    }

    /** Its version is older than replicas over the mesh: it is reached in its store only. */
    @Test
    void aMemberWithoutABulkAddressIsNotReportedAsReachable() throws Exception {
        Worker owner = new Worker(1);
        WorkerId older = new WorkerId(9);
        owner.store.members(List.of(owner.self, new BackupHolder(older, "host-9", "", new Address("127.0.0.1", 1))));
        assertEquals(List.of(), owner.reachable());
    }

    private static void list(Worker... live) {
        List<BackupHolder> all = new ArrayList<>();
        for (Worker worker : live) {
            all.add(worker.self);
        }
        for (Worker worker : live) {
            worker.store.members(all);
        }
    }

    private static BlockVersion version(long iteration) {
        return new BlockVersion(new Incarnation(new GroupTerm(1, new WorkerId(50)), 1), 0, iteration);
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    private final class Worker implements AutoCloseable {
        private final HeldReplicas held = new HeldReplicas(new ConcurrentHashMap<>());
        private final Mesh mesh;
        private final BackupHolder self;
        private final MeshReplicaTransport transport;
        private final BackupStore store;

        Worker(long id) throws Exception {
            Identity identity = authority.issue(SpiffeId.DAEMON, "daemon-" + id);
            mesh = Mesh.start(
                    MeshConfig.builder(new WorkerId(id), WorkerRole.DAEMON, "127.0.0.1", 1)
                            .build(),
                    identity,
                    (from, message) -> {},
                    List.of(),
                    List.of(SpawnerGrpcService.replicas(identity.id(), request -> ReplicaCodec.answer(request, held))));
            self = new BackupHolder(
                    new WorkerId(id), "host-" + id, "", new Address("127.0.0.1", 1), Optional.of(mesh.bulkAddress()));
            transport = new MeshReplicaTransport(self.id(), held, mesh::replicas);
            store = new ReplicatedBackupStore(self, StoreSettings.of(2), transport);
            workers.add(this);
        }

        /** After all that was given to the store's thread. */
        List<WorkerId> reachable() throws Exception {
            var _ = get(store.newest(BLOCK));
            return store.reachable();
        }

        @Override
        public void close() {
            store.close();
            mesh.close();
        }
    }
}
