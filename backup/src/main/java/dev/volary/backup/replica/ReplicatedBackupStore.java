// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import dev.volary.backup.BackupStore;
import dev.volary.backup.BlockBackup;
import dev.volary.backup.Copies;
import dev.volary.backup.PutOutcome;
import dev.volary.backup.StoreSettings;
import dev.volary.protocol.backup.BackupSearch;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.WorkerId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The store, over whatever carries its requests. One thread of its own runs everything; the slots of each holder decide. */
public final class ReplicatedBackupStore implements BackupStore {
    private final BackupHolder self;
    private final StoreSettings settings;
    private final ReplicaTransport peers;
    private final ScheduledExecutorService thread;
    private final Map<ReplicaKey, ReplicaSlots> allSlots = new HashMap<>();
    private final Map<Integer, List<WorkerId>> slots = new ConcurrentHashMap<>();
    private final Set<ReplicaSearch> searches = new HashSet<>();
    private @Nullable List<BackupHolder> live; // others; null until the first call of members()
    private Set<WorkerId> connected = Set.of();
    private volatile List<WorkerId> reachable = List.of();
    /** The answer to the last request to this member itself. */
    private CompletableFuture<HolderReply> lastOwn = CompletableFuture.completedFuture(new HolderReply.Done());

    /**
     * @param self this member
     * @param peers closed with the store
     */
    public ReplicatedBackupStore(BackupHolder self, StoreSettings settings, ReplicaTransport peers) {
        this.self = self;
        this.settings = settings;
        this.peers = peers;
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("backup").factory());
    }

    @Override
    public CompletableFuture<PutOutcome> put(int block, BlockVersion version, ByteBuffer value) {
        return write(new ReplicaKey(ReplicaKind.DATA, block), version, value, false);
    }

    @Override
    public CompletableFuture<PutOutcome> putEverywhere(int block, BlockVersion version, ByteBuffer value) {
        return write(new ReplicaKey(ReplicaKind.DATA, block), version, value, true);
    }

    @Override
    public CompletableFuture<Optional<BlockBackup>> newest(int block, Optional<BackupVersion> known) {
        return find(new ReplicaKey(ReplicaKind.DATA, block), known);
    }

    @Override
    public CompletableFuture<PutOutcome> putGeneration(
            int block, int generation, BlockVersion version, ByteBuffer value) {
        return write(new ReplicaKey(ReplicaKind.generation(generation), block), version, value, true);
    }

    @Override
    public CompletableFuture<Optional<BlockBackup>> generation(int block, int generation) {
        return find(new ReplicaKey(ReplicaKind.generation(generation), block), Optional.empty());
    }

    @Override
    public void forget(int block) {
        onThread(() -> {
            slots.remove(block);
            for (ReplicaKind kind : ReplicaKind.values()) {
                ReplicaSlots replicaSlots = allSlots.remove(new ReplicaKey(kind, block));
                if (replicaSlots != null) {
                    replicaSlots.newest().ifPresent(this::keep);
                    replicaSlots.close(
                            new IllegalStateException("block " + block + " was forgotten while it was written"));
                }
            }
        });
    }

    /** Holds a value that this owner has written itself, as if another one had written it here. */
    private void keep(ReplicaSlots.Write newest) {
        var _ = askSelf(new HolderRequest.Store(newest.header(), newest.value()))
                .whenComplete((reply, failure) -> {
                    if (failure != null) {
                        System.err.printf(
                                "block %d: its last backup does not stay here: %s%n",
                                newest.header().key().block(), failure);
                    }
                });
    }

    /** Asks this member once it has answered the request before: an older one to drop a value must not remove one that is kept later. */
    private CompletableFuture<HolderReply> askSelf(HolderRequest request) {
        lastOwn = lastOwn.handle((reply, failure) -> request).thenCompose(next -> peers.ask(self.id(), next));
        return lastOwn;
    }

    @Override
    public void members(List<BackupHolder> members) {
        List<BackupHolder> others =
                members.stream().filter(h -> !h.id().equals(self.id())).toList();
        onThread(() -> {
            boolean first = live == null;
            live = others;
            peers.members(others);
            if (first) {
                peers.start(now -> onThread(() -> {
                    connected = now;
                    membersChanged();
                }));
            }
            membersChanged();
        });
    }

    @Override
    public Copies copies() {
        return new Copies(Math.min(settings.copies(), reachable.size()), settings.copies());
    }

    @Override
    public List<WorkerId> holders(int block) {
        return slots.getOrDefault(block, List.of());
    }

    @Override
    public List<WorkerId> reachable() {
        return reachable;
    }

    @Override
    public void close() {
        onThread(() -> {
            allSlots.values()
                    .forEach(replicaSlots -> replicaSlots.close(new IllegalStateException("the store was closed")));
            allSlots.clear();
            // A search that ends is taken off the list.
            List.copyOf(searches)
                    .forEach(s -> s.result().completeExceptionally(new IllegalStateException("the store was closed")));
        });
        thread.shutdown();
        peers.close();
    }

    private CompletableFuture<PutOutcome> write(
            ReplicaKey key, BlockVersion version, ByteBuffer value, boolean everywhere) {
        CompletableFuture<PutOutcome> done = new CompletableFuture<>();
        ByteBuffer bytes = value.slice();
        boolean accepted = onThread(() -> {
            ReplicaSlots replicaSlots = allSlots.computeIfAbsent(key, k -> placed(k, new ReplicaSlots()));
            replicaSlots.offer(
                    new ReplicaSlots.Write(ReplicaHeader.of(key, 0, version, bytes), bytes, everywhere, done));
            sendDue(key, replicaSlots);
        });
        if (!accepted) {
            done.completeExceptionally(new IllegalStateException("the store is closed"));
        }
        return done;
    }

    private void membersChanged() {
        reachable = candidates().stream().map(BackupHolder::id).toList();
        allSlots.forEach((key, replicaSlots) -> {
            placed(key, replicaSlots);
            sendDue(key, replicaSlots);
        });
        List.copyOf(searches).forEach(this::updateMembers);
    }

    /** Updates a search once the live members are known: until then no member can be missing. */
    private void updateMembers(ReplicaSearch search) {
        if (live != null) {
            Set<WorkerId> all = live.stream().map(BackupHolder::id).collect(Collectors.toCollection(HashSet::new));
            Set<WorkerId> within = new HashSet<>(reachable);
            all.add(self.id());
            within.add(self.id());
            search.members(all, within);
        }
    }

    private List<BackupHolder> candidates() {
        return live == null
                ? List.of()
                : live.stream().filter(h -> connected.contains(h.id())).toList();
    }

    private ReplicaSlots placed(ReplicaKey key, ReplicaSlots replicaSlots) {
        replicaSlots.place(
                ReplicaPlacement.choose(key.block(), self, replicaSlots.holders(), candidates(), settings.copies()),
                live != null && live.isEmpty());
        slots.put(
                key.block(),
                replicaSlots.holders().stream().map(BackupHolder::id).toList());
        return replicaSlots;
    }

    private void sendDue(ReplicaKey key, ReplicaSlots replicaSlots) {
        for (ReplicaSlots.Send send : replicaSlots.dueSends()) {
            WorkerId holder = send.holder().id();
            BlockVersion version = send.request().header().version();
            var _ = peers.ask(holder, send.request())
                    .whenComplete((reply, failure) -> onThread(() -> {
                        answered(key, replicaSlots, holder, version, reply);
                        sendDue(key, replicaSlots);
                    }));
        }
        replicaSlots.strayReplicasBelow().ifPresent(below -> dropStrayReplicas(key, replicaSlots, below));
    }

    private void answered(
            ReplicaKey key,
            ReplicaSlots replicaSlots,
            WorkerId holder,
            BlockVersion version,
            @Nullable HolderReply reply) {
        if (reply instanceof HolderReply.Done) {
            replicaSlots.stored(holder, version);
        } else if (reply instanceof HolderReply.Has(BlockVersion newer)) {
            replicaSlots.refused(holder, newer);
        } else {
            replicaSlots.failed(holder);
            later(settings.retry().toMillis(), () -> {
                replicaSlots.retry(holder);
                sendDue(key, replicaSlots);
            });
        }
    }

    /** Members that are no longer in a slot need not keep what they have. */
    private void dropStrayReplicas(ReplicaKey key, ReplicaSlots replicaSlots, BlockVersion below) {
        List<WorkerId> holders =
                replicaSlots.holders().stream().map(BackupHolder::id).toList();
        List<WorkerId> rest = new ArrayList<>(reachable);
        rest.removeAll(holders);
        for (WorkerId member : rest) {
            var _ = peers.ask(member, new HolderRequest.Drop(key, below));
        }
        var _ = askSelf(new HolderRequest.Drop(key, below));
    }

    private CompletableFuture<Optional<BlockBackup>> find(ReplicaKey key, Optional<BackupVersion> known) {
        BackupSearch rule = new BackupSearch(known, settings.patience(), System.nanoTime());
        ReplicaSearch search = new ReplicaSearch(peers, key, rule, thread);
        // Put together before the search can end: what it does must be done on the store's thread.
        CompletableFuture<Optional<BlockBackup>> result = search.result()
                .whenComplete((copy, failure) -> searches.remove(search))
                .thenApply(found -> newer(found, own(key)));
        boolean accepted = onThread(() -> {
            searches.add(search);
            updateMembers(search);
            search.proceed();
        });
        return accepted ? result : CompletableFuture.failedFuture(new IllegalStateException("the store is closed"));
    }

    private Optional<BlockBackup> own(ReplicaKey key) {
        ReplicaSlots replicaSlots = allSlots.get(key);
        return replicaSlots == null
                ? Optional.empty()
                : replicaSlots.newest().map(write -> new BlockBackup(key.block(), write.version(), write.value()));
    }

    private static Optional<BlockBackup> newer(Optional<BlockBackup> a, Optional<BlockBackup> b) {
        return Stream.of(a, b).flatMap(Optional::stream).max(Comparator.comparing(BlockBackup::version));
    }

    private boolean onThread(Runnable task) {
        try {
            thread.execute(task);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    private void later(long millis, Runnable task) {
        try {
            var _ = thread.schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // Nothing is written or found any more.
        }
    }
}
