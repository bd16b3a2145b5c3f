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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Control messages to and from all workers. Confined to the control loop, except the entry points. */
public final class ControlPlane {
    private final MeshConfig config;
    private final String name;
    private final EventLoop loop;
    private final Transport transport;
    private final MeshListener listener;
    private final BulkPlane bulk;
    private final long startNanos = System.nanoTime();
    private final ControlTally telemetry = new ControlTally();
    private final Map<WorkerId, ControlSession> peers = new HashMap<>();
    private final Set<WorkerId> forgotten = new HashSet<>();
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
            ControlSession peer = peer(member.id());
            if (peer != null && !member.id().equals(config.node())) {
                peer.setMember(member);
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
            forgotten.add(node);
            ControlSession peer = peers.remove(node);
            if (peer != null) {
                peer.close("forgotten");
            }
        });
    }

    /** The server's answer to a worker that connects. */
    public MessageStream.Events accept(Hello hello) {
        Member member = Shapes.read(hello.getMember());
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
    }

    private @Nullable ControlSession peer(WorkerId node) {
        if (closed || forgotten.contains(node)) {
            return null;
        }
        return peers.computeIfAbsent(
                node,
                id -> new ControlSession(id, config, name, startNanos, loop, transport, listener, bulk, telemetry));
    }

    /** Closes what comes from a worker that was forgotten. */
    private static final class Rejecting implements MessageStream.Events {
        @Override
        public void opened(MessageStream stream) {
            stream.close("forgotten, or closing");
        }

        @Override
        public void message(MessageStream stream, java.io.InputStream message) {}

        @Override
        public void ready(MessageStream stream) {}

        @Override
        public void closed(MessageStream stream, String reason) {}
    }
}
