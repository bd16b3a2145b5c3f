// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import dev.volary.backup.BlockBackup;
import dev.volary.protocol.backup.BackupSearch;
import dev.volary.protocol.model.WorkerId;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest sound copy that can be had: {@link BackupSearch} with real answers. Confined to one thread, on which the result
 * completes.
 */
final class ReplicaSearch {
    private final ReplicaTransport peers;
    private final ReplicaKey key;
    private final BackupSearch search;
    private final ScheduledExecutorService thread;
    private final CompletableFuture<Optional<BlockBackup>> result = new CompletableFuture<>();

    /** Asks no member before the first {@link #members}. */
    ReplicaSearch(ReplicaTransport peers, ReplicaKey key, BackupSearch search, ScheduledExecutorService thread) {
        this.peers = peers;
        this.key = key;
        this.search = search;
        this.thread = thread;
    }

    /** Completes with the copy; with none if there is none, or none came in time. */
    CompletableFuture<Optional<BlockBackup>> result() {
        return result;
    }

    /** Who is alive, and who of them can be asked. */
    void members(Collection<WorkerId> live, Collection<WorkerId> reachable) {
        search.members(live, reachable);
        proceed();
    }

    /** Does what is due. */
    void proceed() {
        if (result.isDone()) {
            return;
        }
        long now = System.nanoTime();
        for (WorkerId member : search.asks(now)) {
            var _ = peers.ask(member, new HolderRequest.Look(key))
                    .whenCompleteAsync((reply, failure) -> looked(member, reply), thread);
        }
        switch (search.next(now)) {
            case BackupSearch.Next.Wait(long until) -> wakeAt(until, now);
            case BackupSearch.Next.Fetch(WorkerId member) -> {
                var _ = peers.ask(member, new HolderRequest.Fetch(key))
                        .whenCompleteAsync((reply, failure) -> fetched(member, reply), thread);
            }
            case BackupSearch.Next.Nothing() -> result.complete(Optional.empty());
            case BackupSearch.Next.Done() -> {}
        }
    }

    private void wakeAt(long until, long now) {
        if (until < Long.MAX_VALUE) {
            try {
                var _ = thread.schedule(this::proceed, Math.max(0, until - now), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closed) {
                // The store is closed, and fails the result.
            }
        }
    }

    private void looked(WorkerId member, @Nullable HolderReply reply) {
        if (reply == null) {
            search.failed(member, System.nanoTime());
        } else {
            search.looked(
                    member, reply instanceof HolderReply.Has(var version) ? Optional.of(version) : Optional.empty());
        }
        proceed();
    }

    private void fetched(WorkerId member, @Nullable HolderReply reply) {
        if (reply == null) {
            search.failed(member, System.nanoTime());
        } else {
            Optional<BlockBackup> copy = reply instanceof HolderReply.Frame frame ? sound(frame) : Optional.empty();
            search.fetched(member, copy.isPresent());
            copy.ifPresent(found -> result.complete(Optional.of(found)));
        }
        proceed();
    }

    private Optional<BlockBackup> sound(HolderReply.Frame frame) {
        return ReplicaHeader.read(frame.bytes())
                .filter(header -> header.key().equals(key))
                .flatMap(header -> header.value(frame.bytes())
                        .map(value -> new BlockBackup(key.block(), header.version(), value)));
    }
}
