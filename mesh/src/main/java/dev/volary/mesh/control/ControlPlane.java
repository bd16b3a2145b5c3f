// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.control;

import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.halo.BulkPlane;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.link.MeshListener;
import dev.volary.mesh.transport.EventLoop;
import dev.volary.mesh.transport.MessageStream;
import dev.volary.mesh.transport.Transport;
import dev.volary.mesh.v1.Hello;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Control messages to and from all workers. Confined to the control loop, except the entry points. */
public final class ControlPlane {
    /** Forgotten workers that messages are not kept for; of older ones there are no messages any more. */
    private static final int MOST_FORGOTTEN = 1024;

    private final MeshConfig config;
    private final String name;
    private final EventLoop loop;
    private final Transport transport;
    private final MeshListener listener;
    private final BulkPlane bulk;
    private final long startNanos = System.nanoTime();
    private final ControlTally telemetry = new ControlTally();
    private final Map<WorkerId, ControlSession> peers = new HashMap<>();
    /** The last workers that were forgotten and have not been added or connected since, oldest first. */
    private final LinkedHashSet<WorkerId> forgotten = new LinkedHashSet<>();
    /** Number of the newest link. */
    private long links;

    private boolean closed;

    public ControlPlane(
            MeshConfig config,
            String name,
            EventLoop loop,
            Transport transport,
            MeshListener listener,
            BulkPlane bulk) {
        this.config = config;
        this.name = name;
        this.loop = loop;
        this.transport = transport;
        this.listener = listener;
        this.bulk = bulk;
    }

    public void addPeer(Member member) {
        loop.execute(() -> {
            forgotten.remove(member.id());
            ControlSession peer = member.id().equals(config.node()) ? null : peer(member.id());
            if (peer != null) {
                peer.add(member);
            }
        });
    }

    public void send(WorkerId to, Message message) {
        loop.execute(() -> {
            if (to.equals(config.node())) {
                listener.received(to, message);
                return;
            }
            ControlSession peer = peer(to);
            if (peer != null) {
                peer.send(message);
            }
        });
    }

    /** Connects to a worker without a message to send: halos are sent there. */
    public void connect(WorkerId node) {
        loop.execute(() -> {
            ControlSession peer = node.equals(config.node()) ? null : peer(node);
            if (peer != null) {
                peer.connect();
            }
        });
    }

    public void forget(WorkerId node) {
        loop.execute(() -> {
            ControlSession peer = peers.get(node);
            if (peer != null) {
                peer.forget();
            } else {
                remember(node);
            }
        });
    }

    /** A worker that is no longer needed cannot be reached. */
    void drop(ControlSession peer) {
        if (peers.remove(peer.id(), peer)) {
            telemetry.setPeers(peers.size());
            remember(peer.id());
            peer.close("forgotten");
        }
    }

    private void remember(WorkerId node) {
        forgotten.add(node);
        if (forgotten.size() > MOST_FORGOTTEN) {
            forgotten.removeFirst();
        }
    }

    /** The server's answer to a worker that connects. */
    public MessageStream.Events accept(Hello hello) {
        Member member = Shapes.read(hello.getMember());
        forgotten.remove(member.id());
        ControlSession peer = peer(member.id());
        if (peer == null) {
            return new Rejecting();
        }
        return peer.accepting(member);
    }

    /** What was sent so far; from any thread. */
    public ControlTelemetry telemetry() {
        return telemetry.telemetry();
    }

    public void close() {
        closed = true;
        for (ControlSession peer : List.copyOf(peers.values())) {
            peer.close("mesh closed");
        }
        peers.clear();
        telemetry.setPeers(0);
    }

    private @Nullable ControlSession peer(WorkerId node) {
        if (closed || forgotten.contains(node)) {
            return null;
        }
        ControlSession known = peers.get(node);
        if (known != null) {
            return known;
        }
        ControlSession peer = new ControlSession(
                node, ++links, this, config, name, startNanos, loop, transport, listener, bulk, telemetry);
        peers.put(node, peer);
        telemetry.setPeers(peers.size());
        return peer;
    }

    /** Closes what comes while this mesh closes. */
    private static final class Rejecting implements MessageStream.Events {
        @Override
        public void opened(MessageStream stream) {
            stream.close("closing");
        }

        @Override
        public void message(MessageStream stream, java.io.InputStream message) {}

        @Override
        public void ready(MessageStream stream) {}

        @Override
        public void closed(MessageStream stream, String reason) {}
    }
}
