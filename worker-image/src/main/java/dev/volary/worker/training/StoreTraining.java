// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.training;

import dev.volary.backup.BackupStore;
import dev.volary.backup.StoreSettings;
import dev.volary.backup.infinispan.InfinispanBackupStore;
import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.ReplicatedBackupStore;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.JobTrustManager;
import dev.volary.mesh.tls.TlsContexts;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * Two members of a checkpoint cluster in one process, for an AOT cache to know their classes. Opening a store costs seconds
 * of a processor without it, all workers of a machine do so at the same time, and until then no block has a copy.
 */
final class StoreTraining {
    private static final String HOST = "127.0.0.1";
    private static final int BLOCK = 0;
    private static final long PATIENCE_SECONDS = 60;

    private StoreTraining() {}

    /**
     * Founds a cluster, joins it, writes a copy and reads it.
     *
     * @throws Exception if the copy is not found again
     */
    static void run(Identity identity) throws Exception {
        BackupHolder founder = holder(1);
        BackupHolder joiner = holder(2);
        BackupStore first = open(founder, identity);
        BackupStore second = open(joiner, identity);
        try {
            first.members(List.of(founder, joiner));
            second.members(List.of(founder, joiner));
            BlockVersion version = new BlockVersion(new Incarnation(new GroupTerm(1, founder.id()), 1), 0, 1);
            var _ = first.put(BLOCK, version, ByteBuffer.allocate(8)).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (second.newest(BLOCK).get(PATIENCE_SECONDS, TimeUnit.SECONDS).equals(Optional.empty())) {
                throw new IllegalStateException("the copy that was written is not found");
            }
        } finally {
            first.close();
            second.close();
        }
    }

    private static BackupHolder holder(long id) throws Exception {
        return new BackupHolder(new WorkerId(id), HOST, "", new Address(HOST, InfinispanBackupStore.freePort(HOST)));
    }

    private static BackupStore open(BackupHolder self, Identity identity) throws Exception {
        SSLContext tls = TlsContexts.context(identity, new JobTrustManager(identity, (peer, reason) -> {}));
        HeldReplicas held = new HeldReplicas(new ConcurrentHashMap<>());
        return new ReplicatedBackupStore(
                self,
                StoreSettings.of(1),
                InfinispanBackupStore.transport("training", self, held, tls, Duration.ofMillis(1)));
    }
}
