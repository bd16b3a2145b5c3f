// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.backup.PutOutcome;
import dev.volary.backup.StoreSettings;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** An owner carries out its requests to itself in their order, however late the first one is. */
class LateDropTest {
    private static final int BLOCK = 3;
    private static final WorkerId SELF = new WorkerId(1);
    private static final WorkerId OTHER = new WorkerId(2);
    private static final ReplicaKey KEY = new ReplicaKey(ReplicaKind.DATA, BLOCK);
    private static final BlockVersion VERSION =
            new BlockVersion(new Incarnation(new GroupTerm(1, new WorkerId(9)), 1), 0, 41);

    private static BackupHolder holder(WorkerId id) {
        return new BackupHolder(id, "host-" + id.value(), "", new Address("127.0.0.1", 1));
    }

    /** Two members. The owner drops a value of its own only after the test has completed {@link #goOn}. */
    private static final class Late implements ReplicaTransport {
        final ConcurrentMap<ReplicaKey, byte[]> own = new ConcurrentHashMap<>();
        final CompletableFuture<Void> goOn = new CompletableFuture<>();
        private final HeldReplicas here = new HeldReplicas(own);
        private final HeldReplicas there = new HeldReplicas(new ConcurrentHashMap<>());

        @Override
        public void start(Consumer<Set<WorkerId>> changed) {
            changed.accept(Set.of(OTHER));
        }

        @Override
        public void members(List<BackupHolder> others) {}

        @Override
        public CompletableFuture<HolderReply> ask(WorkerId member, HolderRequest request) {
            if (member.equals(OTHER)) {
                return CompletableFuture.completedFuture(there.answer(request));
            }
            return request instanceof HolderRequest.Drop
                    ? goOn.thenApply(ignored -> here.answer(request))
                    : CompletableFuture.completedFuture(here.answer(request));
        }

        @Override
        public void close() {}
    }

    @Test
    void theLastBackupOfAFormerOwnerStaysThoughItDroppedOthersBefore() throws Exception {
        Late peers = new Late();
        try (ReplicatedBackupStore store = new ReplicatedBackupStore(holder(SELF), StoreSettings.of(1), peers)) {
            store.members(List.of(holder(SELF), holder(OTHER)));
            CompletableFuture<PutOutcome> put = store.put(BLOCK, VERSION, ByteBuffer.allocate(8));
            assertEquals(new PutOutcome.Stored(1), put.get(10, TimeUnit.SECONDS));
            store.forget(BLOCK);
            // The store has made its requests before it answers the next question.
            assertFalse(store.newest(BLOCK).get(10, TimeUnit.SECONDS).isEmpty());
            peers.goOn.complete(null);
            assertTrue(peers.own.containsKey(KEY));
        }
    }
}
