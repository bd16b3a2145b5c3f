// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.HolderReply;
import dev.volary.backup.replica.HolderRequest;
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
    private static final Duration JOIN_AGAIN = Duration.ofSeconds(2);
    /** Of an answer with a value, or to one. */
    private static final Duration MOVED = Duration.ofSeconds(10);
    /** Of one that is a few bytes: whoever looks for a copy asks again. */
    private static final Duration LOOKED = Duration.ofSeconds(3);

    private static final Duration SEEK = Duration.ofMillis(500);
    /** Whoever of a list is not in the cluster by then is gone, or comes by JGroups' own means. */
    private static final Duration SEEKING = Duration.ofSeconds(30);

    private static final int PAUSES = 6; // a list that never rests keeps nobody from joining

    private final String group;
    private final BackupHolder self;
    private final SSLContext tls;
    private final Duration joinAfter;
    private final Duration joinWait;
    private final ExecutorService senders = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("backup-send-", 0).factory());
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Set<Asked> asked = ConcurrentHashMap.newKeySet();

    // Guarded by this.
    private List<BackupHolder> members = List.of();
    private long changedAt;
    private Map<WorkerId, Address> view = Map.of();
    private @Nullable InfinispanCluster cluster;
    private boolean joined;
    private Consumer<Set<WorkerId>> changed = now -> {};

    private record Asked(WorkerId member, CompletableFuture<HolderReply> answer) {}

    /**
     * @param joinAfter how long the members must have been the same before joining: who founds the cluster depends on them
     * @param joinWait how long members are looked for before a cluster is founded
     */
    InfinispanTransport(String group, BackupHolder self, SSLContext tls, Duration joinAfter, Duration joinWait) {
        this.group = group;
        this.self = self;
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
        InfinispanCluster told;
        Set<WorkerId> gone = new HashSet<>();
        synchronized (this) {
            changedAt = members.equals(others) ? changedAt : System.nanoTime();
            members.forEach(member -> gone.add(member.id()));
            others.forEach(member -> gone.remove(member.id()));
            members = others;
            notifyAll();
            told = cluster;
            if (told != null) {
                told.members(others);
            }
        }
        if (told != null && !gone.isEmpty()) {
            senders.execute(() -> told.suspect(gone));
        }
        forsakeTheGone();
    }

    @Override
    public CompletableFuture<HolderReply> ask(WorkerId member, HolderRequest request) {
        Asked asking = new Asked(member, new CompletableFuture<>());
        asked.add(asking);
        var _ = asking.answer().whenComplete((reply, failure) -> asked.remove(asking));
        try {
            senders.execute(() -> send(asking, request));
        } catch (RejectedExecutionException closed) {
            asking.answer().completeExceptionally(new IllegalStateException("the store is closed"));
        }
        return asking.answer();
    }

    private void send(Asked asking, HolderRequest request) {
        try {
            InfinispanCluster to;
            Address address;
            boolean isSeen;
            synchronized (this) {
                to = joined ? cluster : null;
                address = view.get(asking.member());
                isSeen = cluster != null && view.size() > 1;
            }
            // Other members send copies only to members that they see. A member that is seen but has not joined is
            // asked again.
            if (to == null && !isSeen && asking.member().equals(self.id()) && request instanceof HolderRequest.Look) {
                asking.answer().complete(new HolderReply.Nothing());
                return;
            }
            if (to == null || address == null) {
                throw new IllegalStateException("member " + asking.member() + " is not in group " + group);
            }
            if (asking.member().equals(self.id())) {
                asking.answer().complete(new HeldReplicas(to.copies()).answer(request));
                return;
            }
            var _ = to.ask(address, ReplicaCodec.of(request), request instanceof HolderRequest.Look ? LOOKED : MOVED)
                    .whenComplete((reply, failure) -> {
                        if (failure != null) {
                            asking.answer().completeExceptionally(failure);
                        } else {
                            asking.answer().complete(reply);
                        }
                    });
        } catch (RuntimeException e) {
            asking.answer().completeExceptionally(e);
        }
    }

    private void joinUntilDone() {
        try {
            boolean ended = false;
            for (int pause = 0; pause < PAUSES && !ended && restsIn() > 0; pause++) {
                ended = closing.await(restsIn(), TimeUnit.NANOSECONDS);
            }
            while (!ended && !join()) {
                ended = closing.await(JOIN_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
            }
            while (!closing.await(SEEK.toMillis(), TimeUnit.MILLISECONDS)) {
                seek();
                restWhileNobodyIsNew();
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
            if (isNew() && joined && !members.stream().allMatch(member -> view.containsKey(member.id()))) {
                missing = cluster;
            }
        }
        if (missing != null) {
            missing.seek();
        }
    }

    private synchronized void restWhileNobodyIsNew() throws InterruptedException {
        while (closing.getCount() > 0 && !isNew()) {
            wait();
        }
    }

    /** Whether somebody of the list may still be looked for. */
    private synchronized boolean isNew() {
        return System.nanoTime() - changedAt < SEEKING.toNanos();
    }

    private synchronized long restsIn() {
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
            joining = new InfinispanCluster(group, self, tls, joinWait, founder);
            synchronized (this) {
                if (closing.getCount() == 0) {
                    return true;
                }
                cluster = joining;
                joining.members(members);
            }
            InfinispanCluster current = joining;
            joining.join(now -> seen(current, now));
            synchronized (this) {
                joined = cluster == joining;
                tell();
            }
            return true;
        } catch (Exception e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "cannot join group " + group + " at " + self.address() + ", trying again",
                    e);
            if (joining != null) {
                joining.abandon();
            }
            synchronized (this) {
                cluster = null;
                view = Map.of();
            }
            return false;
        }
    }

    private void seen(InfinispanCluster by, Map<WorkerId, Address> now) {
        synchronized (this) {
            if (cluster != by) {
                return;
            }
            view = now;
            tell();
        }
        forsakeTheGone();
    }

    /** In one step with what it tells, so that nobody hears an older view last. */
    private synchronized void tell() {
        Set<WorkerId> others = joined ? new HashSet<>(view.keySet()) : new HashSet<>();
        others.remove(self.id());
        changed.accept(Set.copyOf(others));
    }

    /** Whoever the register or the cluster no longer knows will not answer. */
    private void forsakeTheGone() {
        Set<WorkerId> there;
        synchronized (this) {
            there = new HashSet<>(members.stream().map(BackupHolder::id).toList());
            there.retainAll(view.keySet());
            there.add(self.id());
        }
        for (Asked asking : asked) {
            if (!there.contains(asking.member())) {
                asking.answer()
                        .completeExceptionally(new IllegalStateException("member " + asking.member() + " is gone"));
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
        for (Asked asking : asked) {
            asking.answer().completeExceptionally(new IllegalStateException("the store was closed"));
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
                leaving.abandon();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
