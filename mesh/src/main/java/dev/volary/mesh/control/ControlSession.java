// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.control;

import dev.volary.mesh.codec.MessageCodec;
import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.halo.BulkPlane;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.link.MeshListener;
import dev.volary.mesh.transport.Backoff;
import dev.volary.mesh.transport.ByteArrayMessage;
import dev.volary.mesh.transport.EventLoop;
import dev.volary.mesh.transport.MessageStream;
import dev.volary.mesh.transport.Transport;
import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.link.OutboxFullException;
import dev.volary.protocol.link.ReliableLink;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.MessageAuthorizer;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Control messages to and from one worker. Either side dials when it knows the other; if both do, the connection that the
 * lower id dialed stays. A {@link ReliableLink} repeats what a broken connection lost. Confined to the control loop.
 *
 * <p>A session with a worker that is not needed ends once that cannot be reached. If both processes live, the next session has
 * a higher number; the other side then drops its link and what waits in it, so that both begin at the first message.
 *
 * <p>A worker keeps its name and role, which its certificate proves: a connection of another one under the same id is closed,
 * and a message that the role may not send ({@link MessageAuthorizer}) does not reach the listener.
 */
final class ControlSession {
    private static final int CAPACITY = 8192;
    private static final Duration RETRANSMIT = Duration.ofMillis(500);

    private static final Duration ACKNOWLEDGED_EVERY = Duration.ofMillis(100);
    private static final Duration HIGHER_ID_WAITS = Duration.ofMillis(400);

    private final WorkerId id;
    private final long number;
    private final ControlPlane plane;
    private final MeshConfig config;
    private final String name;
    private final long startNanos;
    private final EventLoop loop;
    private final Transport transport;
    private final MeshListener listener;
    private final BulkPlane bulk;
    private final ControlTally telemetry;
    private final Backoff backoff;
    private ReliableLink<Message> link;
    /** Number of the other side's session; 0 before the first connection. */
    private long otherNumber;

    private @Nullable Member member;
    private @Nullable MessageStream dialed;
    private @Nullable MessageStream accepted;
    private @Nullable MessageStream current;
    private boolean connectRequested;
    private boolean redial;
    private boolean reported;
    private boolean ticking;
    /** Whether the machine wants to reach it; else it is only known because it has connected, or a message waits for it. */
    private boolean needed;

    private long unreachableSince;
    /** No process listens at its address. */
    private boolean refused;
    /** Another process listens at its address. */
    private boolean replaced;

    private boolean closed;
    /** A refused message of it has been reported. */
    private boolean messageRefused;

    private long acknowledgedAt;
    private long lastDelivery;

    ControlSession(
            WorkerId id,
            long number,
            ControlPlane plane,
            MeshConfig config,
            String name,
            long startNanos,
            EventLoop loop,
            Transport transport,
            MeshListener listener,
            BulkPlane bulk,
            ControlTally telemetry) {
        this.id = id;
        this.number = number;
        this.plane = plane;
        this.telemetry = telemetry;
        this.config = config;
        this.name = name;
        this.startNanos = startNanos;
        this.loop = loop;
        this.transport = transport;
        this.listener = listener;
        this.bulk = bulk;
        this.link = newLink();
        this.acknowledgedAt = startNanos - ACKNOWLEDGED_EVERY.toNanos();
        this.backoff = new Backoff(config.node().value() * 31 + id.value());
    }

    private ReliableLink<Message> newLink() {
        return new ReliableLink<>(id.toString(), CAPACITY, RETRANSMIT);
    }

    WorkerId id() {
        return id;
    }

    /** The worker is needed from now on, and this is its address. */
    void add(Member known) {
        needed = true;
        if (member == null) {
            member = known;
            if (connectRequested || link.outstanding() > 0) {
                dialWhenDue();
            }
        }
    }

    /** The worker is no longer needed: the session ends when there is no connection. */
    void forget() {
        needed = false;
        if (current == null) {
            unreachableSince = System.nanoTime();
            boolean isDialing = dialed != null || redial;
            if (refused || !isDialing) {
                plane.drop(this);
            }
        }
    }

    /** Connects even without a message. */
    void connect() {
        connectRequested = true;
        dialWhenDue();
    }

    void send(Message message) {
        if (message instanceof MembershipMessage.PeerMessage peerMessage) {
            sendOnce(peerMessage);
            return;
        }
        try {
            transmit(link.send(message, System.nanoTime()));
            scheduleTick();
            if (current == null) {
                dialWhenDue();
            }
        } catch (OutboxFullException e) {
            listener.messageDropped(id, message);
        }
    }

    /** Sends a message that is neither acknowledged nor repeated, now or never: late it would be worth nothing. */
    private void sendOnce(MembershipMessage.PeerMessage peerMessage) {
        if (current == null) {
            dialWhenDue();
        } else if (current.isReady()) {
            byte[] bytes = MessageCodec.write(Envelope.newBuilder(), peerMessage)
                    .build()
                    .toByteArray();
            current.send(new ByteArrayMessage(bytes, bytes.length));
            telemetry.countFailureDetection();
        }
    }

    void close(String reason) {
        closed = true;
        if (dialed != null) {
            dialed.close(reason);
        }
        if (accepted != null) {
            accepted.close(reason);
        }
        bulk.forget(id);
    }

    /**
     * Connects once there is a reason to. Two daemons greet each other at the same moment, and a handshake costs a cold
     * process a tenth of a second: the higher id gives the lower one time to make the one connection they need.
     */
    private void dialWhenDue() {
        if (closed || replaced || redial || dialed != null || current != null || member == null) {
            return;
        }
        boolean bothWillDial = member.role() == WorkerRole.DAEMON && config.role() == WorkerRole.DAEMON;
        if (bothWillDial && !lower()) {
            redial = true;
            loop.schedule(this::dial, HIGHER_ID_WAITS.toNanos());
        } else {
            dial();
        }
    }

    private void dial() {
        redial = false;
        if (closed || dialed != null || current != null || member == null) {
            return;
        }
        telemetry.countDial();
        MessageStream stream =
                transport.dial(Transport.Stream.CONTROL, loop, member.address(), id.value(), new Events(true));
        if (!stream.isClosed()) {
            dialed = stream;
        }
    }

    private void redialLater() {
        long unreachable = System.nanoTime() - unreachableSince;
        if (!needed
                && !closed
                && (refused || replaced || unreachable >= config.forgetAfter().toNanos())) {
            plane.drop(this);
        } else if (!closed && !replaced && !redial && member != null) {
            redial = true;
            loop.schedule(this::dial, backoff.next(refused));
        }
    }

    MessageStream.Events accepting(Member known) {
        if (member == null) {
            member = known;
        }
        return new Events(false);
    }

    private boolean lower() {
        return config.node().compareTo(id) < 0;
    }

    private void opened(MessageStream stream, boolean isDialed) {
        Optional<String> mismatch = mismatch(stream.hello().getMember());
        if (mismatch.isPresent()) {
            listener.refused(stream.hello().getMember().getName(), mismatch.get());
            stream.close(mismatch.get());
            return;
        }
        long theirs = stream.hello().getLink();
        if (theirs < otherNumber) {
            stream.close("it belongs to a link that the other side has forgotten");
            return;
        }
        if (theirs > otherNumber && otherNumber != 0) {
            beginAgain(stream);
        }
        otherNumber = theirs;
        refused = false;
        MessageStream superseded;
        if (isDialed) {
            dialed = stream;
            superseded = accepted;
        } else {
            MessageStream old = accepted;
            accepted = stream;
            if (old != null) {
                old.close("replaced by a newer connection");
            }
            superseded = dialed;
        }
        backoff.reset();
        // The side that dials has lost the connection before, even if this side has not noticed: the newest one counts.
        current = stream;
        link.onReconnect(System.nanoTime()).forEach(this::transmit);
        scheduleTick();
        if (member != null) {
            if (!reported) {
                reported = true;
                listener.connected(member);
            }
            bulk.reachable(member, stream.hello().getBulkPort());
        }
        // The higher id gives way, so that both sides close the same connection.
        if (superseded != null && !lower()) {
            MessageStream surplus = isDialed ? stream : superseded;
            surplus.close("the connection dialed by the lower id stays");
        }
    }

    /** Why the worker that a certificate proves is not the one that this session is with, if so. */
    private Optional<String> mismatch(dev.volary.mesh.v1.Member proven) {
        Member known = member;
        if (known == null
                || (known.name().equals(proven.getName()) && Shapes.write(known.role()) == proven.getRole())) {
            return Optional.empty();
        }
        return Optional.of("worker " + id + " is known as " + known.name() + ", " + known.role()
                + "; the identity proven is " + proven.getName() + ", " + proven.getRole());
    }

    /** The other side has forgotten what was sent and received: what waits here belongs to a link that it does not know. */
    private void beginAgain(MessageStream first) {
        link = newLink();
        for (MessageStream old : Arrays.asList(dialed, accepted)) {
            if (old != null && !old.equals(first)) {
                old.close("the other side has forgotten the link");
            }
        }
    }

    private void closed(MessageStream stream, String reason) {
        if (stream.equals(dialed)) {
            dialed = null;
        }
        if (stream.equals(accepted)) {
            accepted = null;
        }
        if (stream.equals(current)) {
            current = accepted != null ? accepted : dialed != null && dialed.isReady() ? dialed : null;
            unreachableSince = System.nanoTime();
            if (current != null) {
                link.onReconnect(System.nanoTime()).forEach(this::transmit);
            }
        }
        if (current == null && dialed == null) {
            if (reported) {
                reported = false;
                listener.disconnected(id, reason);
            }
            replaced |= stream.isReplaced();
            refused = stream.isRefused();
            if (refused || replaced) {
                listener.connectionRefused(id);
            }
            redialLater();
        }
    }

    private void transmit(ReliableLink.Frame<Message> frame) {
        if (current == null) {
            return;
        }
        Envelope.Builder envelope = Envelope.newBuilder().setSeq(frame.seq()).setAck(frame.ack());
        frame.payload().ifPresent(message -> MessageCodec.write(envelope, message));
        byte[] bytes = envelope.build().toByteArray();
        current.send(new ByteArrayMessage(bytes, bytes.length));
        telemetry.countMessage();
    }

    private void scheduleTick() {
        long due = link.wakeUp();
        if (!ticking && !closed && due != Long.MAX_VALUE) {
            ticking = true;
            loop.schedule(this::tick, Math.max(0, due - System.nanoTime()));
        }
    }

    private void tick() {
        ticking = false;
        if (current == null || current.isReady()) {
            link.tick(System.nanoTime()).forEach(this::transmit);
            scheduleTick();
        } else {
            ticking = true;
            loop.schedule(this::tick, RETRANSMIT.toNanos());
        }
    }

    private void arrived(InputStream message) {
        Envelope envelope;
        try {
            envelope = Envelope.parseFrom(message);
        } catch (IOException e) {
            listener.corruptFrame(peerName(), "control message dropped: " + e.getMessage());
            return;
        }
        if (!config.faults().isActive()) {
            deliver(envelope);
            return;
        }
        long now = System.nanoTime();
        if (config.faults().isCut(name, peerName(), now - startNanos)) {
            return;
        }
        lastDelivery = Math.max(lastDelivery, now + config.faults().delay().toNanos());
        ReliableLink<Message> to = link;
        loop.schedule(
                () -> {
                    if (link.equals(to)) {
                        deliver(envelope);
                    }
                },
                lastDelivery - now);
    }

    private void deliver(Envelope envelope) {
        if (closed) {
            return;
        }
        List<Message> arrived;
        try {
            Optional<Message> payload = MessageCodec.read(envelope);
            if (envelope.getSeq() == 0 && payload.isPresent()) {
                receivedOnce(payload.get());
                return;
            }
            var arrival = link.onFrame(
                    new ReliableLink.Frame<>(envelope.getSeq(), envelope.getAck(), payload), System.nanoTime());
            arrival.reply().forEach(this::transmit);
            arrival.acknowledged().ifPresent(this::acknowledged);
            arrived = arrival.delivered();
        } catch (IllegalArgumentException | NoSuchElementException e) {
            listener.corruptFrame(
                    peerName(), "control message " + envelope.getPayloadCase() + " dropped: " + e.getMessage());
            return;
        }
        for (Message message : arrived) {
            received(message);
        }
    }

    /** Only what its sender's role may send reaches the listener; what is refused is acknowledged, so that it is not repeated. */
    private void received(Message message) {
        Member sender = member;
        if (sender != null && MessageAuthorizer.allows(sender.role(), message)) {
            listener.received(id, message);
            return;
        }
        telemetry.countRefused();
        listener.messageRefused(id, message);
        if (!messageRefused) {
            messageRefused = true;
            listener.refused(
                    peerName(),
                    "message " + message.getClass().getSimpleName() + " is for the roles "
                            + MessageAuthorizer.senders(message).stream()
                                    .sorted()
                                    .toList() + ", not for "
                            + (sender == null ? "an unknown one" : sender.role())
                            + "; more such messages of it are only counted");
        }
    }

    private void receivedOnce(Message message) {
        if (message instanceof MembershipMessage.PeerMessage peerMessage) {
            received(peerMessage);
        } else {
            listener.corruptFrame(
                    peerName(), "control message " + message.getClass().getSimpleName() + " has seq 0; must be from 1");
        }
    }

    /** Reports acknowledgements now and then: the listener only concludes that the peer is alive. */
    private void acknowledged(long sentAt) {
        if (sentAt - acknowledgedAt >= ACKNOWLEDGED_EVERY.toNanos()) {
            acknowledgedAt = sentAt;
            listener.acknowledged(id, sentAt);
        }
    }

    private String peerName() {
        return member == null ? id.toString() : member.name();
    }

    /** Events of one stream. */
    private final class Events implements MessageStream.Events {
        private final boolean isDialed;

        Events(boolean isDialed) {
            this.isDialed = isDialed;
        }

        @Override
        public long link() {
            return number;
        }

        @Override
        public void opened(MessageStream stream) {
            ControlSession.this.opened(stream, isDialed);
        }

        @Override
        public void message(MessageStream stream, InputStream message) {
            arrived(message);
        }

        @Override
        public void ready(MessageStream stream) {}

        @Override
        public void closed(MessageStream stream, String reason) {
            ControlSession.this.closed(stream, reason);
        }
    }
}
