// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.backup.BlockBackup;
import dev.volary.backup.StoreSettings;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A member that does not answer may have the copy: only one that says so has none. */
class LostAnswersTest {
    private static final int BLOCK = 3;
    private static final BlockVersion VERSION =
            new BlockVersion(new Incarnation(new GroupTerm(1, new WorkerId(9)), 1), 0, 41);
    private static final Duration WAIT = Duration.ofSeconds(2);

    private static BackupHolder holder(long id) {
        return new BackupHolder(new WorkerId(id), "host-" + id, "", new Address("127.0.0.1", 1));
    }

    /** One other member, that keeps a copy, and loses the answers to the first requests of a kind. */
    private static final class Flaky implements ReplicaTransport {
        private final HeldReplicas copies = new HeldReplicas(new ConcurrentHashMap<>());
        private final Class<? extends HolderRequest> lost;
        private final AtomicInteger losses;

        Flaky(Class<? extends HolderRequest> lost, int losses) {
            this.lost = lost;
            this.losses = new AtomicInteger(losses);
            ByteBuffer value = ByteBuffer.allocate(8).putLong(0, 41);
            ReplicaHeader header = ReplicaHeader.of(new ReplicaKey(ReplicaKind.DATA, BLOCK), 0, VERSION, value);
            assertEquals(new HolderReply.Done(), copies.answer(new HolderRequest.Store(header, value)));
        }

        @Override
        public void start(Consumer<Set<WorkerId>> changed) {
            changed.accept(Set.of(new WorkerId(2)));
        }

        @Override
        public void members(List<BackupHolder> others) {}

        @Override
        public CompletableFuture<HolderReply> ask(WorkerId member, HolderRequest request) {
            if (!member.equals(new WorkerId(2))) {
                return CompletableFuture.completedFuture(new HolderReply.Nothing());
            }
            return lost.isInstance(request) && losses.getAndDecrement() > 0
                    ? CompletableFuture.failedFuture(new IOException("no answer"))
                    : CompletableFuture.completedFuture(copies.answer(request));
        }

        @Override
        public void close() {}
    }

    private static Optional<BlockBackup> newest(Flaky peers) throws Exception {
        StoreSettings settings = StoreSettings.of(1).waiting(WAIT);
        try (ReplicatedBackupStore store = new ReplicatedBackupStore(holder(1), settings, peers)) {
            store.members(List.of(holder(1), holder(2)));
            return store.newest(BLOCK).get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void aRequestWithALostReplyIsRepeated() throws Exception {
        assertEquals(
                VERSION,
                newest(new Flaky(HolderRequest.Look.class, 2)).orElseThrow().version());
    }

    @Test
    void aLostReplicaIsFetchedAgain() throws Exception {
        assertEquals(
                VERSION,
                newest(new Flaky(HolderRequest.Fetch.class, 2)).orElseThrow().version());
    }

    @Test
    void aSearchWaitsForASilentHolderNoLongerThanItsTimeout() throws Exception {
        long begun = System.nanoTime();
        assertTrue(
                newest(new Flaky(HolderRequest.Look.class, Integer.MAX_VALUE)).isEmpty());
        Duration waited = Duration.ofNanos(System.nanoTime() - begun);
        assertTrue(waited.compareTo(WAIT) >= 0 && waited.compareTo(WAIT.multipliedBy(3)) < 0, waited::toString);
    }
}
