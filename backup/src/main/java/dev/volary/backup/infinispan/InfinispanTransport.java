// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.HolderReply;
import dev.volary.backup.replica.HolderRequest;
import dev.volary.backup.replica.ReplicaCodec;
import dev.volary.backup.replica.ReplicaTransport;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.infinispan.remoting.transport.Address;
import org.jspecify.annotations.Nullable;

/**
 * The members of an Infinispan cluster. Joining, leaving and every send happen on threads of their own: each may block, the
 * first for seconds. Safe for use by several threads.
 */
final class InfinispanTransport implements ReplicaTransport {
    private static final System.Logger LOG = System.getLogger(InfinispanTransport.class.getName());
    private static final Duration LEAVE = Duration.ofSeconds(1);
    private static final Duration JOIN_RETRY = Duration.ofSeconds(2);
    /** Timeout of a request or reply that carries a value. */
    private static final Duration TRANSFER_TIMEOUT = Duration.ofSeconds(10);
    /** Timeout of a reply of a few bytes. A search that gets none asks again. */
    private static final Duration LOOK_TIMEOUT = Duration.ofSeconds(3);

    private static final Duration SEEK_INTERVAL = Duration.ofMillis(500);
    /** A listed member that is not in the cluster after this time is dead, or JGroups finds it by its own means. */
    private static final Duration SEEK_DURATION = Duration.ofSeconds(30);

    private static final int PAUSES = 6; // a list that keeps changing does not delay joining any longer

    private final String group;
    private final BackupHolder self;
    private final HeldReplicas held;
    private final SSLContext tls;
    private final Duration joinAfter;
    private final Duration joinWait;
    private final ExecutorService senders = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("backup-send-", 0).factory());
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Set<PendingRequest> pendingRequests = ConcurrentHashMap.newKeySet();

    // Guarded by this.
    private List<BackupHolder> members = List.of();
    private long changedAt;
    private Map<WorkerId, Address> view = Map.of();
    private @Nullable InfinispanCluster cluster;
    private boolean joined;
    private Consumer<Set<WorkerId>> changed = now -> {};

    private record PendingRequest(WorkerId member, CompletableFuture<HolderReply> answer) {}

    /**
     * @param held answers requests to this member
     * @param joinAfter how long the members must have been the same before joining: who founds the cluster depends on them
     * @param joinWait how long members are looked for before a cluster is founded
     */
    InfinispanTransport(
            String group, BackupHolder self, HeldReplicas held, SSLContext tls, Duration joinAfter, Duration joinWait) {
        this.group = group;
        this.self = self;
        this.held = held;
        this.tls = tls;
        this.joinAfter = joinAfter;
        this.joinWait = joinWait;
    }

    @Override
    public synchronized void start(Consumer<Set<WorkerId>> listener) {
        changed = listener;
        changedAt = System.nanoTime();
        Thread.ofPlatform().daemon().name("backup-join").start(this::joinUntilDone);
    }

    @Override
    public void members(List<BackupHolder> others) {
        InfinispanCluster current;
        Set<WorkerId> removed = new HashSet<>();
        synchronized (this) {
            changedAt = members.equals(others) ? changedAt : System.nanoTime();
            members.forEach(member -> removed.add(member.id()));
            others.forEach(member -> removed.remove(member.id()));
            members = others;
            notifyAll();
            current = cluster;
            if (current != null) {
                current.members(others);
            }
        }
        if (current != null && !removed.isEmpty()) {
            senders.execute(() -> current.suspect(removed));
        }
        failRequestsToRemovedMembers();
    }

    @Override
    public CompletableFuture<HolderReply> ask(WorkerId member, HolderRequest request) {
        PendingRequest pending = new PendingRequest(member, new CompletableFuture<>());
        pendingRequests.add(pending);
        var _ = pending.answer().whenComplete((reply, failure) -> pendingRequests.remove(pending));
        try {
            senders.execute(() -> send(pending, request));
        } catch (RejectedExecutionException closed) {
            pending.answer().completeExceptionally(new IllegalStateException("the store is closed"));
        }
        return pending.answer();
    }

    private void send(PendingRequest pending, HolderRequest request) {
        try {
            if (pending.member().equals(self.id())) {
                pending.answer().complete(held.answer(request));
                return;
            }
            InfinispanCluster to;
            Address address;
            synchronized (this) {
                to = joined ? cluster : null;
                address = view.get(pending.member());
            }
            if (to == null || address == null) {
                throw new IllegalStateException("member " + pending.member() + " is not in group " + group);
            }
            var _ = to.ask(
                            address,
                            ReplicaCodec.of(request),
                            request instanceof HolderRequest.Look ? LOOK_TIMEOUT : TRANSFER_TIMEOUT)
                    .whenComplete((reply, failure) -> {
                        if (failure != null) {
                            pending.answer().completeExceptionally(failure);
                        } else {
                            pending.answer().complete(reply);
                        }
                    });
        } catch (RuntimeException e) {
            pending.answer().completeExceptionally(e);
        }
    }

    private void joinUntilDone() {
        try {
            boolean ended = false;
            for (int pause = 0; pause < PAUSES && !ended && nanosUntilStable() > 0; pause++) {
                ended = closing.await(nanosUntilStable(), TimeUnit.NANOSECONDS);
            }
            while (!ended && !join()) {
                ended = closing.await(JOIN_RETRY.toMillis(), TimeUnit.MILLISECONDS);
            }
            while (!closing.await(SEEK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                seek();
                waitForNewMembers();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A daemon that another group has lent is in that group's cluster, while its new group's copies are in another one. JGroups
     * looks for clusters to merge every few seconds, and a block would wait for that.
     */
    private void seek() {
        InfinispanCluster missing = null;
        synchronized (this) {
            if (hasNewMembers() && joined && !members.stream().allMatch(member -> view.containsKey(member.id()))) {
                missing = cluster;
            }
        }
        if (missing != null) {
            missing.seek();
        }
    }

    private synchronized void waitForNewMembers() throws InterruptedException {
        while (closing.getCount() > 0 && !hasNewMembers()) {
            wait();
        }
    }

    /** Whether the list of members changed recently, so that listed members may still be missing in the cluster. */
    private synchronized boolean hasNewMembers() {
        return System.nanoTime() - changedAt < SEEK_DURATION.toNanos();
    }

    private synchronized long nanosUntilStable() {
        return changedAt + joinAfter.toNanos() - System.nanoTime();
    }

    /** Whether no further attempt is needed. */
    private boolean join() {
        InfinispanCluster joining = null;
        try {
            boolean founder;
            synchronized (this) {
                founder = members.stream().allMatch(h -> self.id().compareTo(h.id()) < 0);
            }
            joining = new InfinispanCluster(group, self, held, tls, joinWait, founder);
            synchronized (this) {
                if (closing.getCount() == 0) {
                    return true;
                }
                cluster = joining;
                joining.members(members);
            }
            InfinispanCluster current = joining;
            joining.join(now -> viewChanged(current, now));
            synchronized (this) {
                joined = cluster == joining;
                reportMembers();
            }
            return true;
        } catch (Exception e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "cannot join group " + group + " at " + self.address() + ", trying again",
                    e);
            if (joining != null) {
                joining.closeSockets();
            }
            synchronized (this) {
                cluster = null;
                view = Map.of();
            }
            return false;
        }
    }

    private void viewChanged(InfinispanCluster by, Map<WorkerId, Address> now) {
        synchronized (this) {
            if (cluster != by) {
                return;
            }
            view = now;
            reportMembers();
        }
        failRequestsToRemovedMembers();
    }

    /** Reads the view and calls the listener under one lock, so that the listener never receives an older view last. */
    private synchronized void reportMembers() {
        Set<WorkerId> others = joined ? new HashSet<>(view.keySet()) : new HashSet<>();
        others.remove(self.id());
        changed.accept(Set.copyOf(others));
    }

    /** A member that is no longer in the list or in the cluster will not answer. */
    private void failRequestsToRemovedMembers() {
        Set<WorkerId> there;
        synchronized (this) {
            there = new HashSet<>(members.stream().map(BackupHolder::id).toList());
            there.retainAll(view.keySet());
            there.add(self.id());
        }
        for (PendingRequest pending : pendingRequests) {
            if (!there.contains(pending.member())) {
                pending.answer()
                        .completeExceptionally(
                                new IllegalStateException("member " + pending.member() + " is no longer in the group"));
            }
        }
    }

    @Override
    public void close() {
        closing.countDown();
        InfinispanCluster leaving;
        synchronized (this) {
            leaving = cluster;
            cluster = null;
            joined = false;
            notifyAll();
        }
        PortReservation.release(InfinispanCluster.socketAddress(self)); // if it never listened
        senders.shutdown();
        for (PendingRequest pending : pendingRequests) {
            pending.answer().completeExceptionally(new IllegalStateException("the store was closed"));
        }
        if (leaving != null) {
            leave(leaving);
        }
    }

    /** This member's part of the cluster, once it has begun to join. */
    synchronized Optional<InfinispanCluster> cluster() {
        return Optional.ofNullable(cluster);
    }

    private static void leave(InfinispanCluster leaving) {
        Thread thread = Thread.ofPlatform().daemon().name("backup-leave").start(leaving::leave);
        try {
            if (!thread.join(LEAVE)) {
                leaving.closeSockets();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
