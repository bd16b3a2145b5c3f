// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.backup.BackupStore;
import dev.volary.backup.BlockBackup;
import dev.volary.backup.PutOutcome;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.CheckpointGeneration;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import dev.volary.worker.compute.BlockState;
import dev.volary.worker.runtime.StageTracer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * This worker's part of its group's checkpoint store. Until {@link #open} is called, nothing of the store is loaded; opening it
 * happens on a thread of its own. It does not give way to computing: until it is open, no block has a copy. Safe for use by
 * several threads.
 */
public final class LazyBlockBackups implements BlockBackups {
    /** After this time a backup counts as failed; the block is backed up again when its turn comes. */
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(20);

    /** Longer than a store waits by itself, which begins when it is open; one that was requested to open takes seconds until then. */
    private static final Duration SEARCH_TIMEOUT = Duration.ofSeconds(40);

    /** An open store and how others reach it. */
    public record OpenedStore(BackupHolder self, BackupStore store) {}

    /** Opens the store; may take long, called once. */
    public interface StoreOpener {
        OpenedStore open() throws Exception;
    }

    private final StoreOpener opener;
    private final Consumer<BackupHolder> onOpened;
    private final CompletableFuture<BackupStore> store = new CompletableFuture<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("checkpoint-open").factory());
    private final AtomicLong stored = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private volatile boolean openRequested;
    private boolean wanted;
    private boolean endsSoon;
    private Optional<List<BackupHolder>> holders = Optional.empty();

    /**
     * @param onOpened receives the address of the store, once it is open
     */
    public LazyBlockBackups(StoreOpener opener, Consumer<BackupHolder> onOpened) {
        this.opener = opener;
        this.onOpened = onOpened;
    }

    /** Opens it in the background, but not while the job is about to end: opening takes a core for a fifth of a second. */
    public synchronized void openInTime() {
        wanted = true;
        if (!endsSoon) {
            open();
        }
    }

    @Override
    public synchronized void jobEndsSoon(boolean isSo) {
        endsSoon = isSo;
        if (wanted) {
            openInTime();
        }
    }

    /** Opens it in the background; idempotent. */
    public synchronized void open() {
        if (!openRequested) {
            openRequested = true;
            thread.execute(this::openNow);
        }
    }

    private void openNow() {
        try {
            OpenedStore opened = opener.open();
            opened(opened.store());
            StageTracer.mark("opened", "store");
            onOpened.accept(opened.self());
        } catch (Exception e) {
            System.err.println("this worker keeps no copies and makes none: its store cannot be opened: " + e);
            store.completeExceptionally(e);
        }
    }

    /** Whether it was never requested to open, so that there is nothing to leave behind. */
    public boolean neverOpened() {
        return !openRequested;
    }

    /** Who keeps copies now. An open store knows them before this returns: later searches do not ask dead holders. */
    public synchronized void holders(List<BackupHolder> newest) {
        List<BackupHolder> before = holders.orElse(List.of());
        long removed =
                before.stream().filter(holder -> !newest.contains(holder)).count();
        lost.addAndGet(removed < before.size() ? removed : 0); // all at once: this is the list of another group
        holders = Optional.of(newest);
        ready().ifPresent(s -> s.members(newest));
    }

    /** The store, once it is open. */
    private Optional<BackupStore> ready() {
        return store.isDone() && !store.isCompletedExceptionally() ? Optional.of(store.join()) : Optional.empty();
    }

    private synchronized void opened(BackupStore opened) {
        holders.ifPresent(opened::members);
        store.complete(opened);
    }

    @Override
    public CompletableFuture<Void> put(int block, Incarnation incarnation, BlockState state, boolean last) {
        if (!hasReachableHolder()) {
            return CompletableFuture.failedFuture(
                    new IOException("block " + block + " cannot be backed up: no holder can be reached"));
        }
        BlockVersion version = new BlockVersion(incarnation, state.step(), state.iteration());
        BackupStore to = store.join();
        CompletableFuture<PutOutcome> written = last
                ? to.putEverywhere(block, version, BlockStateCodec.write(state))
                : to.put(block, version, BlockStateCodec.write(state));
        return durable(block, written);
    }

    @Override
    public CompletableFuture<Void> putGeneration(int slot, int block, Incarnation incarnation, BlockState state) {
        if (!hasReachableHolder()) {
            return CompletableFuture.failedFuture(
                    new IOException("block " + block + " takes no checkpoint: no holder can be reached"));
        }
        BlockVersion version = new BlockVersion(incarnation, state.step(), state.iteration());
        return durable(block, store.join().putGeneration(block, slot, version, BlockStateCodec.write(state)));
    }

    private CompletableFuture<Void> durable(int block, CompletableFuture<PutOutcome> written) {
        return written.orTimeout(WRITE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .thenAccept(outcome -> {
                    if (outcome instanceof PutOutcome.Outdated(BlockVersion newer)) {
                        throw new CompletionException(new IOException(
                                "block " + block + " is backed up by " + newer.incarnation() + " already"));
                    }
                    StageTracer.mark("stored", block);
                })
                .whenComplete((done, failure) -> (failure == null ? stored : failed).incrementAndGet());
    }

    @Override
    public CompletableFuture<Optional<BlockState>> newest(int block, Optional<BackupVersion> known) {
        if (known.isPresent()) {
            open(); // this worker may have joined a moment ago
        }
        if (!openRequested) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return store.thenCompose(s -> s.newest(block, known))
                .thenApply(found -> found.map(LazyBlockBackups::state))
                .completeOnTimeout(Optional.empty(), SEARCH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(e -> {
                    System.err.println("block " + block + " is opened without its backup: " + e);
                    return Optional.empty();
                });
    }

    @Override
    public CompletableFuture<List<StoredGeneration>> generations(int block) {
        if (!openRequested) {
            return CompletableFuture.completedFuture(List.of());
        }
        return generation(block, 0)
                .thenCombine(
                        generation(block, 1),
                        (even, odd) ->
                                Stream.of(even, odd).flatMap(Optional::stream).toList());
    }

    private CompletableFuture<Optional<StoredGeneration>> generation(int block, int slot) {
        return store.thenCompose(s -> s.generation(block, slot))
                .thenApply(found -> found.map(copy -> new StoredGeneration(
                        new CheckpointGeneration(
                                slot,
                                copy.version().incarnation().counter(),
                                copy.version().iteration()),
                        state(copy))))
                .completeOnTimeout(Optional.empty(), SEARCH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(e -> {
                    System.err.println("block " + block + " is opened without its checkpoint " + slot + ": " + e);
                    return Optional.empty();
                });
    }

    private static BlockState state(BlockBackup checkpoint) {
        try {
            return BlockStateCodec.read(checkpoint.value());
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    @Override
    public void forget(int block) {
        ready().ifPresent(s -> s.forget(block));
    }

    @Override
    public List<WorkerId> holders(int block) {
        return ready().map(s -> s.holders(block)).orElse(List.of());
    }

    @Override
    public long lostHolders() {
        return lost.get();
    }

    @Override
    public int reachableHolders() {
        return ready().map(s -> s.reachable().size()).orElse(0);
    }

    @Override
    public void close() {
        thread.shutdownNow();
        ready().ifPresent(s -> System.err.printf(
                "backups: %d stored, %d failed, %d holders within reach%n",
                stored.get(), failed.get(), s.reachable().size()));
    }
}
