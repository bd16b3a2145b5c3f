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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Two carriers of requests: one that can be used at once, and one that costs processor time to begin and begins once cores are
 * idle. A member is asked by the second one as soon as that has found it. Both lead to the same replicas. Safe for use by several
 * threads.
 */
public final class HandoverTransport implements ReplicaTransport {
    private final ReplicaTransport first;
    private final ReplicaTransport second;
    private final BooleanSupplier coresAreIdle;
    private final Executor later;

    // Guarded by this.
    private boolean hasMemberOfSecondOnly;
    private Set<WorkerId> foundByFirst = Set.of();
    private Set<WorkerId> foundBySecond = Set.of();
    private boolean closed;

    /**
     * @param first begins at once
     * @param second begins when {@code coresAreIdle}, or when a member can be asked in no other way
     * @param delay between two decisions whether it begins, and before the first
     */
    public HandoverTransport(
            ReplicaTransport first, ReplicaTransport second, Duration delay, BooleanSupplier coresAreIdle) {
        this.first = first;
        this.second = second;
        this.coresAreIdle = coresAreIdle;
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
        later.execute(() -> decide(changed));
    }

    private synchronized void decide(Consumer<Set<WorkerId>> changed) {
        if (closed) {
            return;
        }
        if (!hasMemberOfSecondOnly && !coresAreIdle.getAsBoolean()) {
            later.execute(() -> decide(changed));
            return;
        }
        second.start(found -> {
            synchronized (this) {
                foundBySecond = found;
                report(changed);
            }
        });
    }

    private void report(Consumer<Set<WorkerId>> changed) {
        Set<WorkerId> all = new HashSet<>(foundByFirst);
        all.addAll(foundBySecond);
        changed.accept(Set.copyOf(all));
    }

    @Override
    public void members(List<BackupHolder> others) {
        synchronized (this) {
            hasMemberOfSecondOnly =
                    others.stream().anyMatch(other -> other.bulk().isEmpty());
        }
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
