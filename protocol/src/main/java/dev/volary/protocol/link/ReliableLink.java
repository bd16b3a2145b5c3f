// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.link;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * One end of a reliable control link: what the other end's {@link #send} is given comes out here exactly once and in order,
 * whatever frames the connections between them lose, repeat, delay or reorder (docs/explanation/replacement-and-fencing.md,
 * "control links").
 *
 * <p>Every frame carries a cumulative acknowledgement. Frames not acknowledged are sent again after a timeout that doubles,
 * and at once after a reconnection. Both ends must be created together: a restarted worker has a new identity and new links.
 * Not thread safe: confined to the agent thread.
 *
 * @param <P> the payload, opaque here
 */
public final class ReliableLink<P> {
    /** Most frames sent again at once. */
    private static final int BURST = 32;
    /** The retransmission timeout grows up to this multiple of its first value. */
    private static final int SLOWEST = 16;

    /**
     * What travels.
     *
     * @param seq number of the payload, from 1; 0 if there is none
     * @param ack all numbers up to this one have been delivered to the sender of this frame
     * @param payload present exactly if {@code seq > 0}
     */
    public record Frame<P>(long seq, long ack, Optional<P> payload) {}

    /**
     * What comes of a frame.
     *
     * @param delivered payloads to handle now, in order
     * @param reply frames to send back
     * @param acknowledged when the newest payload was sent that the frame acknowledges for the first time; none if it
     *     acknowledges nothing new
     */
    public record Arrival<P>(List<P> delivered, List<Frame<P>> reply, OptionalLong acknowledged) {}

    private record Waiting<P>(Frame<P> frame, long sentAt) {}

    private final String peer;
    private final int capacity;
    private final long timeout;
    private final ArrayDeque<Waiting<P>> unacknowledged = new ArrayDeque<>();
    private final TreeMap<Long, P> early = new TreeMap<>();
    private long sent;
    private long delivered;
    private long dueAt = Long.MAX_VALUE;
    private long currentTimeout;

    /**
     * @param peer the other end's name, for errors
     * @param capacity most payloads that may wait for acknowledgement, and most early ones kept
     * @param retransmitAfter first timeout after which frames are sent again
     */
    public ReliableLink(String peer, int capacity, Duration retransmitAfter) {
        if (capacity < 1 || retransmitAfter.toNanos() < 1) {
            throw new IllegalArgumentException(
                    "capacity " + capacity + " and timeout " + retransmitAfter + " must be positive");
        }
        this.peer = peer;
        this.capacity = capacity;
        this.timeout = retransmitAfter.toNanos();
        this.currentTimeout = timeout;
    }

    /**
     * Takes a payload for the other end.
     *
     * @return the frame to send now; if there is no connection it may be thrown away, {@link #onReconnect} repeats it
     * @throws OutboxFullException if {@code capacity} payloads wait already; this one was not taken. The machines repeat what
     *     matters until it is answered, so the carrier may drop it after saying so
     */
    public Frame<P> send(P payload, long now) {
        if (unacknowledged.size() >= capacity) {
            throw new OutboxFullException(peer, capacity);
        }
        Frame<P> frame = new Frame<>(++sent, delivered, Optional.of(payload));
        unacknowledged.add(new Waiting<>(frame, now));
        if (dueAt == Long.MAX_VALUE) {
            arm(now);
        }
        return frame;
    }

    /** Takes a frame from the other end. */
    public Arrival<P> onFrame(Frame<P> frame, long now) {
        OptionalLong acknowledged = acknowledge(frame.ack(), now);
        if (currentTimeout > timeout && !unacknowledged.isEmpty()) {
            // The other end is there again: what it missed must not wait for the longest timeout.
            currentTimeout = timeout;
            dueAt = Math.min(dueAt, now + timeout);
        }
        if (frame.seq() == 0) {
            return new Arrival<>(List.of(), List.of(), acknowledged);
        }
        List<P> ready = new ArrayList<>();
        if (frame.seq() > delivered && frame.seq() <= delivered + capacity) {
            early.put(frame.seq(), frame.payload().orElseThrow());
            while (!early.isEmpty() && early.firstKey() == delivered + 1) {
                ready.add(early.pollFirstEntry().getValue());
                delivered++;
            }
        }
        return new Arrival<>(ready, List.of(new Frame<>(0, delivered, Optional.empty())), acknowledged);
    }

    /** A new connection is up: everything not acknowledged, to be sent on it first. */
    public List<Frame<P>> onReconnect(long now) {
        currentTimeout = timeout;
        return again(now, Integer.MAX_VALUE);
    }

    /** Frames whose acknowledgement is overdue, to be sent again. */
    public List<Frame<P>> tick(long now) {
        if (now < dueAt) {
            return List.of();
        }
        currentTimeout = Math.min(2 * currentTimeout, SLOWEST * timeout);
        return again(now, BURST);
    }

    /** When {@link #tick} has something to do; {@link Long#MAX_VALUE} if nothing waits. */
    public long wakeUp() {
        return dueAt;
    }

    /** Number of payloads that wait for acknowledgement. */
    public int outstanding() {
        return unacknowledged.size();
    }

    /** Number of payloads kept that arrived before their predecessors. */
    public int early() {
        return early.size();
    }

    private OptionalLong acknowledge(long ack, long now) {
        OptionalLong newest = OptionalLong.empty();
        while (!unacknowledged.isEmpty() && unacknowledged.getFirst().frame().seq() <= ack) {
            newest = OptionalLong.of(unacknowledged.removeFirst().sentAt());
        }
        if (newest.isPresent()) {
            currentTimeout = timeout;
            arm(now);
        }
        return newest;
    }

    private List<Frame<P>> again(long now, int most) {
        List<Frame<P>> frames = new ArrayList<>();
        for (Waiting<P> waiting : unacknowledged) {
            if (frames.size() == most) {
                break;
            }
            frames.add(new Frame<>(
                    waiting.frame().seq(), delivered, waiting.frame().payload()));
        }
        arm(now);
        return frames;
    }

    private void arm(long now) {
        dueAt = unacknowledged.isEmpty() ? Long.MAX_VALUE : now + currentTimeout;
    }
}
