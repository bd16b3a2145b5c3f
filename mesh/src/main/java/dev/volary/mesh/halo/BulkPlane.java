// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import dev.volary.mesh.fault.LinkFaults;
import dev.volary.mesh.frame.CorruptFrameException;
import dev.volary.mesh.frame.FrameHeader;
import dev.volary.mesh.frame.FrameReader;
import dev.volary.mesh.frame.FrameWriter;
import dev.volary.mesh.link.BlockPair;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.link.MeshListener;
import dev.volary.mesh.link.RecordedHalo;
import dev.volary.mesh.transport.ByteArrayMessage;
import dev.volary.mesh.transport.EventLoop;
import dev.volary.mesh.transport.MessageStream;
import dev.volary.mesh.transport.Transport;
import dev.volary.mesh.v1.Hello;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Halos to and from all workers. Confined to the bulk loop, except the maps of links. */
public final class BulkPlane {
    /** A frame held back for its successor goes on after this time even if none comes. */
    private static final long LONGEST_HOLD_NANOS = 100_000_000L;

    private final MeshConfig config;
    private final String name;
    private final EventLoop loop;
    private final Transport transport;
    private final MeshListener listener;
    private final int problem;
    private final long startNanos = System.nanoTime();
    private volatile Consumer<WorkerId> peerNeeded = peer -> {};
    private final HaloPacer pacer;
    private final AtomicInteger idlePeriods = new AtomicInteger();

    private final FrameReader reader = new FrameReader();
    private final FrameWriter writer = new FrameWriter();
    private final byte[] ack = new byte[FrameAck.BYTES];
    private final ByteBuffer ackView = ByteBuffer.wrap(ack).order(ByteOrder.LITTLE_ENDIAN);
    private final Map<WorkerId, BulkConnection> peers = new HashMap<>();
    private final Map<BlockPair, Runnable> held = new HashMap<>();
    private final Map<BlockPair, LinkSender> outgoing = new ConcurrentHashMap<>();
    private final Map<BlockPair, LinkReceiver> incoming = new ConcurrentHashMap<>();
    private boolean closed;

    /** Calls this for every worker that halos are sent to: the control plane connects and learns the bulk port. */
    public void onPeerNeeded(Consumer<WorkerId> connect) {
        peerNeeded = connect;
    }

    public BulkPlane(MeshConfig config, String name, EventLoop loop, Transport transport, MeshListener listener) {
        this.config = config;
        this.name = name;
        this.loop = loop;
        this.transport = transport;
        this.listener = listener;
        this.problem = FrameHeader.fold(config.problemHash());
        this.pacer = new HaloPacer(config.bulkShare());
    }

    WorkerId self() {
        return config.node();
    }

    EventLoop loop() {
        return loop;
    }

    Transport transport() {
        return transport;
    }

    public MeshListener listener() {
        return listener;
    }

    HaloPacer pacer() {
        return pacer;
    }

    FrameWriter writer() {
        return writer;
    }

    int problem() {
        return problem;
    }

    BulkConnection peer(WorkerId node) {
        return peers.computeIfAbsent(node, id -> new BulkConnection(id, this));
    }

    public MessageStream.Events accept(Hello hello) {
        return peer(new WorkerId(hello.getMember().getId()));
    }

    /** A control connection to this worker is there. Halos go between daemons only. */
    public void reachable(Member member, int bulkPort) {
        loop.execute(() -> {
            if (!closed && config.role() == WorkerRole.DAEMON && member.role() == WorkerRole.DAEMON) {
                peer(member.id()).reachable(member, bulkPort);
            }
        });
    }

    /** A connection has ended that this worker does not make again: it is known as long as there is a link to it. */
    void ended(BulkConnection peer) {
        peers.remove(peer.id, peer);
    }

    public void forget(WorkerId node) {
        loop.execute(() -> {
            BulkConnection peer = peers.remove(node);
            if (peer != null) {
                peer.close("forgotten");
            }
        });
    }

    public void close() {
        closed = true;
        for (BulkConnection peer : List.copyOf(peers.values())) {
            peer.close("mesh closed");
        }
    }

    // ---- links

    public <L extends LinkSender> L outgoing(BlockPair edge, int length, Class<L> kind, LinkMaker<L> maker) {
        LinkSender link = outgoing.computeIfAbsent(edge, e -> maker.make(e, length));
        return sameKind(edge, link, link.length(), length, kind);
    }

    public <L extends LinkReceiver> L incoming(BlockPair edge, int length, Class<L> kind, LinkMaker<L> maker) {
        LinkReceiver link = incoming.computeIfAbsent(edge, e -> maker.make(e, length));
        L result = sameKind(edge, link, link.length(), length, kind);
        loop.execute(() -> bindLocal(edge));
        return result;
    }

    /** Makes an end of a link. */
    public interface LinkMaker<L> {
        L make(BlockPair edge, int length);
    }

    private static <L> L sameKind(BlockPair edge, Object link, int there, int wanted, Class<L> kind) {
        if (there != wanted || !kind.isInstance(link)) {
            throw new IllegalStateException("link " + edge + " exists with length " + there + " as "
                    + link.getClass().getSimpleName() + "; wanted length " + wanted + " as " + kind.getSimpleName());
        }
        return kind.cast(link);
    }

    void routed(LinkSender link, WorkerId peer) {
        peerNeeded.accept(peer);
        if (peer.equals(self())) {
            bindLocal(link.edge);
        } else {
            link.bindLocal(null);
            peer(peer).add(link);
        }
    }

    private void bindLocal(BlockPair edge) {
        LinkSender sender = outgoing.get(edge);
        LinkReceiver receiver = incoming.get(edge);
        if (sender != null && receiver != null && self().equals(sender.routedTo())) {
            sender.bindLocal(receiver);
        }
    }

    /** Removes all ends of links of a block. */
    public void removeLinks(int block) {
        outgoing.forEach((edge, link) -> {
            if (edge.from() == block && outgoing.remove(edge, link)) {
                loop.execute(link::remove);
            }
        });
        incoming.forEach((edge, link) -> {
            if (edge.to() == block && incoming.remove(edge, link)) {
                loop.execute(() -> {
                    LinkSender sender = outgoing.get(edge);
                    if (sender != null) {
                        sender.bindLocal(null);
                    }
                });
            }
        });
    }

    public void reportComputeIdle() {
        idlePeriods.incrementAndGet();
    }

    /** Changes whenever this worker has nothing to compute for a while. */
    int idlePeriods() {
        return idlePeriods.get();
    }

    // ---- arriving frames

    void arrived(BulkConnection peer, InputStream message) {
        try {
            if (message.available() == FrameAck.BYTES) {
                acknowledged(message);
            } else if (config.faults().isActive()) {
                withFaults(peer, message.readAllBytes());
            } else {
                FrameHeader header = reader.header(message);
                peer.acknowledge(new BlockPair(header.from(), header.to()), header);
                deliver(peer, header, message);
            }
        } catch (CorruptFrameException e) {
            listener.corruptFrame(peer.name(), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            listener.corruptFrame(peer.name(), "frame dropped: it cannot be read: " + e.getMessage());
        }
    }

    private void acknowledged(InputStream message) throws IOException, CorruptFrameException {
        FrameHeader.require(
                message.readNBytes(ack, 0, ack.length) == ack.length && FrameAck.is(ackView),
                "magic of an acknowledgement",
                Integer.toHexString(ackView.getInt(0)),
                "VLAK");
        LinkSender link = outgoing.get(FrameAck.edge(ackView));
        if (link != null) {
            link.acknowledged(FrameAck.frames(ackView));
        }
    }

    private void deliver(BulkConnection peer, FrameHeader header, InputStream in)
            throws IOException, CorruptFrameException {
        BlockPair edge = new BlockPair(header.from(), header.to());
        LinkReceiver link = incoming.get(edge);
        if (link == null) {
            return; // the block is not open here (yet): HELLO will ask for the newest values
        }
        try {
            FrameHeader.require(
                    header.problem() == problem,
                    "problem hash",
                    Integer.toHexString(header.problem()),
                    Integer.toHexString(problem));
            switch (header.kind()) {
                case HALO -> link.receive(reader, in, header, peer.id);
                case RECORDED -> {
                    FrameHeader.require(
                            header.count() == link.length(), "count of link " + edge, header.count(), link.length());
                    long hash = reader.hash(in);
                    double[] values = new double[header.count()];
                    reader.values(in, header, values);
                    recorded(peer.id, edge, header.iteration(), header.step(), header.incarnation(), hash, values);
                }
            }
        } catch (CorruptFrameException e) {
            link.countCorrupt();
            throw e;
        }
    }

    /** Recorded values whose reader is in this process. */
    void recordedLocally(BlockPair edge, long sid, int step, Incarnation incarnation, long hash, double[] values) {
        recorded(self(), edge, sid, step, incarnation, hash, values.clone());
    }

    private void recorded(
            WorkerId sender, BlockPair edge, long sid, int step, Incarnation incarnation, long hash, double[] values) {
        listener.recordedHalo(new RecordedHalo(
                sender, sid, step, new RecordedBlock(edge.from(), incarnation, hash), edge.to(), values));
    }

    // ---- faults

    private void withFaults(BulkConnection peer, byte[] frame) throws IOException, CorruptFrameException {
        FrameHeader header = reader.header(new ByteArrayMessage(frame, frame.length));
        BlockPair edge = new BlockPair(header.from(), header.to());
        long now = System.nanoTime();
        LinkFaults.Delivery delivery = peer.faults
                .computeIfAbsent(edge, e -> new LinkFaults(config.faults(), config.seed(), e.from(), e.to()))
                .next(frame.length, now);
        boolean cut = config.faults().isCut(name, peer.name(), now - startNanos);
        loop.schedule(
                () -> {
                    peer.acknowledge(edge, header);
                    Runnable arrival = () -> deliverCopies(peer, frame, delivery.copies());
                    @Nullable Runnable before = held.remove(edge);
                    if (cut || delivery.lost()) {
                        arrival = () -> {};
                    } else if (delivery.overtaken() && before == null) {
                        hold(edge, arrival);
                        return;
                    }
                    arrival.run();
                    if (before != null) {
                        before.run();
                    }
                },
                delivery.delayNanos());
    }

    private void hold(BlockPair edge, Runnable arrival) {
        held.put(edge, arrival);
        loop.schedule(
                () -> {
                    if (held.remove(edge, arrival)) {
                        arrival.run();
                    }
                },
                LONGEST_HOLD_NANOS);
    }

    private void deliverCopies(BulkConnection peer, byte[] frame, int copies) {
        for (int i = 0; i < copies; i++) {
            try {
                ByteArrayMessage in = new ByteArrayMessage(frame, frame.length);
                deliver(peer, reader.header(in), in);
            } catch (CorruptFrameException | IOException e) {
                listener.corruptFrame(peer.name(), String.valueOf(e.getMessage()));
            }
        }
    }
}
