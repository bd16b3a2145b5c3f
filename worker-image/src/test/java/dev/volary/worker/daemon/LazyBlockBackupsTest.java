// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.backup.StoreSettings;
import dev.volary.backup.memory.InMemoryTransport;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import dev.volary.worker.compute.BlockState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LazyBlockBackupsTest {
    private final InMemoryTransport group = new InMemoryTransport();
    private final LinkedBlockingQueue<BackupHolder> opened = new LinkedBlockingQueue<>();
    private final List<LazyBlockBackups> stores = new ArrayList<>();

    private static Incarnation incarnation(int counter) {
        return new Incarnation(new GroupTerm(1, new WorkerId(1)), counter);
    }

    private static BlockState state(long iteration) {
        return new BlockState(iteration, new double[] {iteration}, List.of(new double[] {0.5}), new byte[] {3});
    }

    private LazyBlockBackups store(long id) {
        BackupHolder self = holder(id);
        LazyBlockBackups store = new LazyBlockBackups(
                () -> new LazyBlockBackups.OpenedStore(self, group.store(self, StoreSettings.of(2))), opened::add);
        stores.add(store);
        return store;
    }

    /** Opens stores for these workers, and sends each the list of all, as the group's owner does. */
    private List<LazyBlockBackups> joined(int workers) throws InterruptedException {
        List<BackupHolder> holders = new ArrayList<>();
        for (int id = 1; id <= workers; id++) {
            store(id).open();
            BackupHolder holder = opened.poll(10, TimeUnit.SECONDS);
            assertTrue(holder != null, "worker " + id + " opens its store");
            holders.add(holder);
        }
        stores.forEach(store -> store.holders(holders));
        while (!stores.stream().allMatch(LazyBlockBackups::hasReachableHolder)) {
            Thread.onSpinWait();
        }
        return stores;
    }

    @AfterEach
    void close() {
        stores.forEach(LazyBlockBackups::close);
    }

    @Test
    void aStoreOpensOnlyOnceTheJobIsNotAboutToEnd() throws InterruptedException {
        LazyBlockBackups store = store(1);
        store.jobEndsSoon(true);
        store.openInTime();
        assertTrue(store.neverOpened());
        store.jobEndsSoon(true);
        assertTrue(store.neverOpened());
        store.jobEndsSoon(false);
        assertTrue(opened.poll(10, TimeUnit.SECONDS) != null, "the store opens");
    }

    @Test
    void aJobThatGoesOnOpensNoStoreUnasked() {
        LazyBlockBackups store = store(1);
        store.jobEndsSoon(false);
        assertTrue(store.neverOpened());
    }

    @Test
    void aBackupThatIsKnownToExistIsSearchedForAlsoIfTheJobIsAboutToEnd() throws InterruptedException {
        LazyBlockBackups store = store(1);
        store.jobEndsSoon(true);
        store.openInTime();
        var unusedSearch = store.newest(0, Optional.of(new BackupVersion(0, incarnation(1), 20)));
        assertTrue(opened.poll(10, TimeUnit.SECONDS) != null, "the store opens");
    }

    @Test
    void aStoreThatIsNotOpenFindsNoBackupAndRefusesWrites() {
        LazyBlockBackups store = store(1);
        assertTrue(
                store.newest(0, Optional.empty()).getNow(Optional.of(state(9))).isEmpty());
        assertFalse(store.hasReachableHolder());
        assertThrows(
                CompletionException.class,
                () -> store.put(0, incarnation(1), state(1), false).join());
    }

    @Test
    void aBlockContinuesElsewhereWithItsNewestStateAndHalos() throws InterruptedException {
        List<LazyBlockBackups> workers = joined(4);
        workers.get(0).put(0, incarnation(1), state(10), false).join();
        workers.get(0).put(0, incarnation(1), state(20), false).join();
        group.kill(new WorkerId(1));
        BlockState restored = workers.get(3).newest(0, Optional.empty()).join().orElseThrow();
        assertEquals(20, restored.iteration());
        assertArrayEquals(new double[] {20}, restored.core());
        assertArrayEquals(new double[] {0.5}, restored.halos().getFirst());
        assertArrayEquals(new byte[] {3}, restored.extra());
    }

    @Test
    void aWorkerThatHasJustJoinedFindsABackupThatIsKnown() throws InterruptedException {
        List<LazyBlockBackups> workers = joined(3);
        workers.getFirst().put(0, incarnation(1), state(20), false).join();
        group.kill(new WorkerId(1));
        LazyBlockBackups late = store(4);
        CompletableFuture<Optional<BlockState>> found =
                late.newest(0, Optional.of(new BackupVersion(0, incarnation(1), 20)));
        assertTrue(opened.poll(10, TimeUnit.SECONDS) != null, "it opens its store");
        late.holders(List.of(holder(2), holder(3), holder(4)));
        assertEquals(20, found.join().orElseThrow().iteration());
    }

    @Test
    void lostHoldersAreCountedButHoldersOfAnotherGroupAreNot() throws InterruptedException {
        LazyBlockBackups store = joined(4).getFirst();
        List<BackupHolder> all = List.of(holder(1), holder(2), holder(3), holder(4));
        store.holders(all);
        long before = store.lostHolders();
        store.holders(all.subList(0, 3));
        store.holders(all.subList(0, 3));
        store.holders(List.of(holder(1), holder(2), holder(9)));
        assertEquals(2, store.lostHolders() - before, "the fourth, then the third");
        store.holders(List.of(holder(7), holder(8)));
        assertEquals(2, store.lostHolders() - before);
    }

    private static BackupHolder holder(long id) {
        return new BackupHolder(new WorkerId(id), "host-" + id, "", new Address("virtual", (int) id));
    }

    @Test
    void anOutdatedOwnerIsRefused() throws InterruptedException {
        List<LazyBlockBackups> workers = joined(3);
        workers.get(1).put(0, incarnation(2), state(5), true).join();
        CompletionException refused = assertThrows(
                CompletionException.class,
                () -> workers.get(0).put(0, incarnation(1), state(90), true).join());
        assertTrue(String.valueOf(refused.getMessage()).contains("is backed up by"), refused.getMessage());
    }

    @Test
    void aStoreThatCannotBeOpenedRestoresNoBackupAndDoesNotFailTheWorker() {
        LazyBlockBackups broken = new LazyBlockBackups(
                () -> {
                    throw new IllegalStateException("no port is free");
                },
                opened::add);
        broken.open();
        assertTrue(broken.newest(0, Optional.empty()).join().isEmpty());
        assertFalse(broken.hasReachableHolder());
        broken.close();
    }
}
