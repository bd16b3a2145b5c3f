// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;
import org.jgroups.stack.DiagnosticsHandler;
import org.jspecify.annotations.Nullable;

/**
 * JGroups' TCP with a connection for each direction. One connection for both, as TCP has it, is made from both ends at once
 * when a group forms; one of the two is then closed in the middle of its TLS handshake with the messages in it, and the
 * handshake is made in the thread that accepts. For the same reason connections to those who are about to become members are
 * left alone when the view changes: only those to former members are closed.
 *
 * <p>What is sent to one member never waits for another. TCP sends all of it in one thread, which waits a second for each
 * message to a machine that is switched off, and without a bound in a handshake with a process that is stopped: live members then
 * declare each other dead. Here each member has a queue, and a thread while there is something in it. What cannot be sent is
 * dropped; the protocols above send it again if it matters.
 */
public final class PerMemberTcp extends TCP {
    /** Of one message, at most some 60 KB; who takes longer is cut off, and connected to again. */
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(3);
    /** Above what flow control lets out to one member. */
    private static final long QUEUE_BYTES = 16L << 20;

    /** The default one of JGroups 5.5.2 counts the messages to members that left without an end, and then never sleeps again. */
    private static final String BUNDLER = "transfer-queue";

    private static final long FLUSH_MILLIS = 200;
    /** Of closing: without a bound, TLS waits for the thread that is stuck. */
    private static final int LINGER_SECONDS = 1;

    private final ConcurrentMap<Address, Queued> queues = new ConcurrentHashMap<>();
    private @Nullable ExecutorService senders;
    private Set<Address> connectedTo = Set.of();

    /** Called by {@link JGroupsStack}. */
    public PerMemberTcp() {
        setId(ClassConfigurator.getProtocolId(TCP.class));
        setBundlerType(BUNDLER);
        setLinger(LINGER_SECONDS);
    }

    @Override
    public void start() throws Exception {
        senders = Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name("backup-to-", 0).factory());
        PortReservation.release(new InetSocketAddress(bind_addr, bind_port));
        super.start();
        srv.usePeerConnections(false);
    }

    @Override
    public void stop() {
        ExecutorService ending = senders;
        if (ending != null) {
            ending.shutdown();
            awaitEnd(ending);
        }
        super.stop();
        if (ending != null) {
            ending.shutdownNow();
        }
    }

    private static void awaitEnd(ExecutorService ending) {
        try {
            boolean _ = ending.awaitTermination(FLUSH_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Queues a message for a member; never blocks. The array is the caller's again when this returns. */
    @Override
    public void send(Address to, byte[] data, int offset, int length) {
        ExecutorService by = senders;
        if (by == null) {
            return;
        }
        byte[] message = Arrays.copyOfRange(data, offset, offset + length);
        queues.compute(to, (member, queue) -> {
            Queued queued = queue == null ? new Queued() : queue;
            try {
                queued.add(message);
                if (queue == null) {
                    by.execute(() -> sendAll(member, queued));
                } else if (queued.becameStuck()) {
                    disconnect(member);
                }
                return queued;
            } catch (RejectedExecutionException closed) {
                return null;
            }
        });
    }

    private void sendAll(Address to, Queued queued) {
        byte[] message = queued.next();
        while (message != null) {
            try {
                srv.send(to, message, 0, message.length);
            } catch (Exception e) {
                log.debug("%s: cannot send to %s: %s", local_addr, to, e);
                queued.clear(); // each would try to connect, for a second
            }
            queues.computeIfPresent(to, (member, queue) -> queue.isEmpty() ? null : queue);
            message = queued.next();
        }
    }

    @Override
    public synchronized void retainAll(Collection<Address> now) {
        for (Address former : connectedTo) {
            if (!now.contains(former)) {
                disconnect(former);
            }
        }
        connectedTo = Set.copyOf(now);
    }

    /** Takes as long as it lingers if the other side is silent. */
    private void disconnect(Address member) {
        ExecutorService by = senders;
        if (by != null) {
            try {
                by.execute(() -> srv.closeConnection(member, false));
            } catch (RejectedExecutionException closed) {
                // all of them are closed now
            }
        }
    }

    /** Diagnostics would listen to multicast. */
    @Override
    protected DiagnosticsHandler createDiagnosticsHandler() {
        return super.createDiagnosticsHandler().setEnabled(false);
    }

    /** What waits for one member. A queue that was found empty is not used again. */
    private static final class Queued {
        private final Queue<byte[]> messages = new ArrayDeque<>();
        private long bytes;
        private long since = System.nanoTime();

        synchronized void add(byte[] message) {
            if (bytes + message.length <= QUEUE_BYTES) {
                messages.add(message);
                bytes += message.length;
            }
        }

        /** The next one to be sent; none if there is none. */
        synchronized byte @Nullable [] next() {
            byte[] message = messages.poll();
            bytes -= message == null ? 0 : message.length;
            since = System.nanoTime();
            return message;
        }

        synchronized void clear() {
            messages.clear();
            bytes = 0;
        }

        synchronized boolean isEmpty() {
            return messages.isEmpty();
        }

        /** Whether the last one has been on its way for too long; says so once in that time. */
        synchronized boolean becameStuck() {
            long now = System.nanoTime();
            boolean stuck = now - since > STUCK_NANOS;
            since = stuck ? now : since;
            return stuck;
        }
    }
}
