// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import dev.volary.mesh.fault.LinkFaults;
import dev.volary.mesh.frame.FrameHeader;
import dev.volary.mesh.frame.FrameKind;
import dev.volary.mesh.frame.FrameWriter;
import dev.volary.mesh.link.BlockPair;
import dev.volary.mesh.transport.Backoff;
import dev.volary.mesh.transport.ByteArrayMessage;
import dev.volary.mesh.transport.MessageStream;
import dev.volary.mesh.transport.Transport;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bulk connection to one worker; the lower id dials it as soon as there is a control connection. On the bulk loop. */
final class BulkConnection implements MessageStream.Events {
    final WorkerId id;
    final Map<BlockPair, LinkFaults> faults = new HashMap<>();
    private final Map<BlockPair, Integer> unacknowledged = new HashMap<>();
    private final BulkPlane plane;
    private final Backoff backoff;
    private final List<LinkSender> links = new ArrayList<>();
    private String name;
    private @Nullable Address address;
    private @Nullable MessageStream stream;
    private boolean dialing;
    private boolean wasOpen;
    private boolean closed;

    BulkConnection(WorkerId id, BulkPlane plane) {
        this.id = id;
        this.plane = plane;
        this.name = id.toString();
        this.backoff = new Backoff(plane.self().value() * 37 + id.value());
    }

    String name() {
        return name;
    }

    /** A control connection is there. */
    void reachable(Member member, int bulkPort) {
        name = member.name();
        address = new Address(member.address().host(), bulkPort);
        dial();
    }

    private void dial() {
        if (closed
                || dialing
                || stream != null
                || address == null
                || plane.self().compareTo(id) > 0) {
            return;
        }
        dialing = true;
        plane.transport().dial(Transport.Stream.BULK, plane.loop(), address, id.value(), this);
    }

    void add(LinkSender link) {
        links.add(link);
    }

    void remove(LinkSender link) {
        links.remove(link);
    }

    boolean isReady() {
        return stream != null && stream.isReady();
    }

    void send(FrameWriter frame) {
        if (stream != null) {
            stream.send(new ByteArrayMessage(frame.bytes(), frame.length()));
        }
    }

    /** A frame was read. */
    void acknowledge(BlockPair edge, FrameHeader header) {
        if (stream == null) {
            return;
        }
        Integer before = unacknowledged.get(edge);
        int frames = before == null ? 1 : before + 1;
        // The first frame is acknowledged at once, so that the round trip is known early.
        boolean now =
                before == null || header.kind() == FrameKind.RECORDED || frames >= FrameAck.batch(header.frameBytes());
        unacknowledged.put(edge, now ? 0 : frames);
        if (now) {
            byte[] ack = FrameAck.write(edge, frames);
            stream.send(new ByteArrayMessage(ack, ack.length));
        }
    }

    void close(String reason) {
        closed = true;
        if (stream != null) {
            stream.close(reason);
        }
    }

    @Override
    public void opened(MessageStream opened) {
        dialing = false;
        if (closed) {
            opened.close("forgotten, or closing");
            return;
        }
        name = opened.hello().getMember().getName();
        MessageStream old = stream;
        stream = opened;
        unacknowledged.clear();
        backoff.reset();
        if (old != null) {
            old.close("replaced by a newer connection");
            links.forEach(LinkSender::connectionLost);
        }
        for (LinkSender link : List.copyOf(links)) {
            if (wasOpen) {
                link.reconnected();
            } else {
                link.flush();
            }
        }
        wasOpen = true;
    }

    @Override
    public void message(MessageStream from, InputStream message) {
        plane.arrived(this, message);
    }

    @Override
    public void ready(MessageStream now) {
        for (int i = 0; i < links.size(); i++) {
            links.get(i).flush();
        }
    }

    @Override
    public void closed(MessageStream ended, String reason) {
        dialing = false;
        if (ended.equals(stream)) {
            stream = null;
            links.forEach(LinkSender::connectionLost);
        }
        if (stream == null && address == null && links.isEmpty()) {
            plane.ended(this);
        } else if (!closed && !ended.isReplaced() && stream == null) {
            plane.loop().schedule(this::dial, backoff.next(ended.isRefused()));
        }
    }
}
