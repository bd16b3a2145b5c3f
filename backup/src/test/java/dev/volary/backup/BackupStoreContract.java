// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.backup.replica.ReplicaHeader;
import dev.volary.backup.replica.ReplicaKey;
import dev.volary.backup.replica.ReplicaKind;
import dev.volary.protocol.backup.BackupSearch;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every store promises, as far as it depends on what carries the requests; {@link BackupStoreRules} has the rest. Five members: 1 and 2 in zone a, 3 and 4 in b, 5 in c; each on a host of its own. Member 1 owns
 * the blocks; k = 2. Subclasses are not run in parallel.
 */
public abstract class BackupStoreContract {
    private static final StoreSettings SETTINGS = new StoreSettings(
            2,
            new BackupSearch.Patience(
                    Duration.ofMillis(20),
                    Duration.ofSeconds(2),
                    Duration.ofMillis(500),
                    Duration.ofSeconds(2),
                    Duration.ofMillis(50)),
            Duration.ofMillis(50));
    static final int BLOCK = 7;

    private Group group;
    private final Map<Long, BackupStore> stores = new TreeMap<>();
    private final Map<Long, BackupHolder> live = new TreeMap<>();

    /** A group without members. */
    protected abstract Group group() throws Exception;

    @BeforeEach
    void fiveMembers() throws Exception {
        group = group();
        join(1, "a");
        join(2, "a");
        join(3, "b");
        join(4, "b");
        join(5, "c");
        updateMembers();
        awaitJoined();
    }

    @AfterEach
    void end() {
        group.close();
    }

    private void join(long id, String zone) throws Exception {
        BackupHolder holder = group.holder(id, "host-" + id, zone);
        live.put(id, holder);
        stores.put(id, group.open(holder, SETTINGS));
    }

    private void updateMembers() {
        stores.forEach((id, store) -> store.members(List.copyOf(live.values())));
    }

    private void awaitJoined() {
        await().atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(5))
                .until(() ->
                        stores.values().stream().allMatch(s -> s.reachable().size() == stores.size() - 1));
    }

    void kill(long... ids) {
        for (long id : ids) {
            group.kill(new WorkerId(id));
            stores.remove(id);
            live.remove(id);
        }
        updateMembers();
    }

    BackupStore store(long id) {
        return Optional.ofNullable(stores.get(id)).orElseThrow();
    }

    static BlockVersion version(long term, long iteration) {
        return new BlockVersion(new Incarnation(new GroupTerm(term, new WorkerId(99)), 1), 0, iteration);
    }

    static ByteBuffer value(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    PutOutcome put(long owner, long term, long iteration) throws Exception {
        return get(store(owner).put(BLOCK, version(term, iteration), value("x" + iteration)));
    }

    Optional<String> newest(long asker) throws Exception {
        return get(store(asker).newest(BLOCK))
                .map(c -> StandardCharsets.UTF_8.decode(c.value().duplicate()).toString());
    }

    /** What a member holds. */
    ConcurrentMap<ReplicaKey, byte[]> copiesOf(long member) {
        return group.copiesOf(new WorkerId(member));
    }

    /** Iterations of the data copies of the block, by member. */
    Map<Long, Long> held() {
        Map<Long, Long> held = new TreeMap<>();
        for (long id : stores.keySet()) {
            byte[] frame = copiesOf(id).get(new ReplicaKey(ReplicaKind.DATA, BLOCK));
            if (frame != null) {
                ReplicaHeader.read(frame)
                        .ifPresent(h -> held.put(id, h.version().iteration()));
            }
        }
        return held;
    }

    List<Long> holders() {
        await().pollInterval(Duration.ofMillis(5)).until(() -> held().size() == 2);
        return List.copyOf(held().keySet());
    }

    long holderOf(long iteration) {
        return held().entrySet().stream()
                .filter(e -> e.getValue() == iteration)
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    @Test
    void anotherMemberRestoresTheNewestBackup() throws Exception {
        for (int i = 1; i <= 5; i++) {
            assertEquals(new PutOutcome.Stored(2), put(1, 1, i));
        }
        for (long asker = 1; asker <= 5; asker++) {
            assertEquals(Optional.of("x5"), newest(asker));
        }
        assertEquals(new Copies(2, 2), store(1).copies());
        assertFalse(store(1).copies().isDegraded());
    }

    @Test
    void thePreviousBackupSurvivesTheDeathOfOwnerAndNewestHolder() throws Exception {
        put(1, 1, 1);
        holders();
        put(1, 1, 2);
        put(1, 1, 3);
        kill(1, holderOf(3));
        assertEquals(Optional.of("x2"), newest(2));
    }

    @Test
    void aBackupSurvivesTheDeathOfAZone() throws Exception {
        put(1, 1, 1);
        holders();
        put(1, 1, 2);
        kill(1, 2);
        assertEquals(Optional.of("x2"), newest(5));
        kill(3, 4);
        assertTrue(newest(5).isPresent());
        assertEquals(new Copies(0, 2), store(5).copies());
        assertTrue(store(5).copies().isDegraded());
    }

    @Test
    void theFormerOwnerKeepsABlockUntilTheNextOneHasCopies() throws Exception {
        put(1, 1, 1);
        List<Long> before = holders();
        put(1, 1, 2);
        store(1).forget(BLOCK);
        await().pollInterval(Duration.ofMillis(5)).until(() -> held().containsKey(1L));
        kill(before.getFirst(), before.getLast());
        assertEquals(Optional.of("x2"), newest(2));
    }

    @Test
    void theFormerOwnersCopyIsDroppedOnceTheNextOneHasCopies() throws Exception {
        put(1, 1, 1);
        holders();
        store(1).forget(BLOCK);
        await().pollInterval(Duration.ofMillis(5)).until(() -> held().containsKey(1L));
        put(2, 2, 2);
        put(2, 2, 3);
        await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> held().size() == 2 && !held().containsKey(1L));
    }

    @Test
    void aLostReplicaIsWrittenAgainAtOnce() throws Exception {
        put(1, 1, 1);
        List<Long> before = holders();
        put(1, 1, 2);
        kill(before.getFirst());
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> held().size() == 2);
        assertTrue(held().containsKey(5L));
        assertTrue(held().containsValue(2L), held().toString());
    }

    @Test
    void aHolderThatReturnsEmptyGetsItsReplicasAgain() throws Exception {
        kill(2, 3);
        put(1, 1, 1);
        assertEquals(List.of(4L, 5L), holders());
        kill(5);
        await().atMost(Duration.ofSeconds(20)).until(() -> store(1).reachable().size() == 1);
        assertEquals(new Copies(1, 2), store(1).copies());
        join(6, "c");
        updateMembers();
        await().atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> held().equals(Map.of(4L, 1L, 6L, 1L)));
        assertFalse(store(1).copies().isDegraded());
    }

    @Test
    void ofManyWritesOnlyTheNewestWaits() throws Exception {
        List<CompletableFuture<PutOutcome>> writes = new ArrayList<>();
        for (int i = 1; i <= 200; i++) {
            writes.add(store(1).put(BLOCK, version(1, i), value("x" + i)));
        }
        assertEquals(new PutOutcome.Stored(2), get(writes.getLast()));
        for (CompletableFuture<PutOutcome> write : writes) {
            PutOutcome outcome = get(write);
            assertTrue(
                    outcome instanceof PutOutcome.Stored || outcome instanceof PutOutcome.Superseded,
                    outcome.toString());
        }
        assertEquals(Optional.of("x200"), newest(3));
    }

    @Test
    void aValueWaitsUntilItsStoreHasJoined() throws Exception {
        BackupHolder late = group.holder(8, "host-8", "b");
        try (BackupStore store = group.open(late, SETTINGS)) {
            var first = store.put(BLOCK, version(1, 1), value("x1"));
            var second = store.put(BLOCK, version(1, 2), value("x2"));
            assertInstanceOf(PutOutcome.Superseded.class, get(first));
            assertFalse(second.isDone());
            live.put(8L, late);
            store.members(List.copyOf(live.values()));
            updateMembers();
            assertInstanceOf(PutOutcome.Stored.class, second.get(40, TimeUnit.SECONDS));
            assertEquals(Optional.of("x2"), newest(5));
        }
    }

    @Test
    void aLargeBlockIsRestoredUnchanged() throws Exception {
        byte[] bytes = new byte[8 << 20];
        new Random(42).nextBytes(bytes);
        get(store(1).put(BLOCK, version(1, 1), ByteBuffer.wrap(bytes)));
        assertEquals(
                ByteBuffer.wrap(bytes),
                get(store(2).newest(BLOCK)).orElseThrow().value());
    }

    @Test
    void aBlockWithoutBackupIsNotFound() throws Exception {
        assertTrue(newest(3).isEmpty());
    }

    @Test
    void aLoneMemberKeepsItsValueAndReportsZeroCopies() throws Exception {
        kill(2, 3, 4, 5);
        assertEquals(new PutOutcome.Stored(0), put(1, 1, 1));
        assertEquals(new Copies(0, 2), store(1).copies());
    }

    @Test
    void closingIsQuickAndFailsOpenWrites() throws Exception {
        BackupHolder never = group.holder(9, "host-9", "b");
        BackupStore store = group.open(never, SETTINGS);
        var open = store.put(BLOCK, version(1, 1), value("x1"));
        long start = System.nanoTime();
        store.close();
        store(5).close();
        assertTrue(System.nanoTime() - start < 5_000_000_000L, "a bounded leave takes a second for each");
        assertThrows(ExecutionException.class, () -> get(open));
    }
}
