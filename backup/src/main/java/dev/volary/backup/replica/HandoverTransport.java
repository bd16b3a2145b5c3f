// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Two carriers of requests: one that can be used at once, and one that costs time to begin and begins later. A member is asked
 * by the second one as soon as that has found it. Both lead to the same replicas. Safe for use by several threads.
 */
public final class HandoverTransport implements ReplicaTransport {
    private final ReplicaTransport first;
    private final ReplicaTransport second;
    private final Executor later;

    // Guarded by this.
    private Set<WorkerId> foundByFirst = Set.of();
    private Set<WorkerId> foundBySecond = Set.of();
    private boolean closed;

    /**
     * @param first begins at once
     * @param second begins after {@code delay}
     */
    public HandoverTransport(ReplicaTransport first, ReplicaTransport second, Duration delay) {
        this.first = first;
        this.second = second;
        this.later = CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void start(Consumer<Set<WorkerId>> changed) {
        first.start(found -> {
            synchronized (this) {
                foundByFirst = found;
                report(changed);
            }
        });
        later.execute(() -> startSecond(changed));
    }

    private synchronized void startSecond(Consumer<Set<WorkerId>> changed) {
        if (!closed) {
            second.start(found -> {
                synchronized (this) {
                    foundBySecond = found;
                    report(changed);
                }
            });
        }
    }

    private void report(Consumer<Set<WorkerId>> changed) {
        Set<WorkerId> all = new HashSet<>(foundByFirst);
        all.addAll(foundBySecond);
        changed.accept(Set.copyOf(all));
    }

    @Override
    public void members(List<BackupHolder> others) {
        first.members(others);
        second.members(others);
    }

    @Override
    public CompletableFuture<HolderReply> ask(WorkerId member, HolderRequest request) {
        boolean isFoundBySecond;
        synchronized (this) {
            isFoundBySecond = foundBySecond.contains(member);
        }
        return (isFoundBySecond ? second : first).ask(member, request);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        first.close();
        second.close();
    }
}
