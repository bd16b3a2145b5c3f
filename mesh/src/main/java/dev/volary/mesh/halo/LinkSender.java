// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import dev.volary.mesh.frame.FrameHeader;
import dev.volary.mesh.frame.FrameKind;
import dev.volary.mesh.frame.FrameWriter;
import dev.volary.mesh.link.BlockPair;
import dev.volary.mesh.link.LinkTelemetry;
import dev.volary.mesh.link.OutgoingLink;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What both kinds of sending ends share. The compute thread fills a slot and arms the link; {@link #flush} on the bulk loop
 * sends what the slot holds as long as few enough frames are unacknowledged, so nothing queues anywhere.
 */
abstract class LinkSender implements OutgoingLink {
    private static final double SMOOTHING = 0.125;

    final BlockPair edge;
    final int length;
    final AtomicLong conflated = new AtomicLong();
    private final BulkPlane plane;
    private final int window;
    private final Runnable flush = this::flush;
    /** A flush is under way or will be caused by an event that is awaited: publishing need not wake the loop. */
    private final AtomicBoolean armed = new AtomicBoolean();

    private final AtomicBoolean urgent = new AtomicBoolean();
    private final AtomicReference<@Nullable RecordedValues> recordedSlot = new AtomicReference<>();
    private final AtomicLong frames = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong reconnects = new AtomicLong();
    private volatile long newestSent = -1;
    private volatile double roundTrip;
    private volatile @Nullable WorkerId route;
    private volatile @Nullable LinkReceiver local;
    private volatile double depth;

    // Confined to the bulk loop.
    private final long[] sentAt = new long[FrameAck.MAX_WINDOW];
    private int unacknowledged;
    private int oldest;
    private long lastSent;
    private long lastIteration;
    private int idlePeriodsAtLast;
    private double iterationNanos;
    private boolean timer;
    private boolean removed;
    private @Nullable RecordedValues unconfirmed;
    private int recordedAt = -1;

    /** Recorded values on their way. */
    private record RecordedValues(
            long sid,
            int step,
            Incarnation incarnation,
            long hash,
            @SuppressWarnings("ArrayRecordComponent") double[] values) {}

    LinkSender(BlockPair edge, int length, BulkPlane plane) {
        this.edge = edge;
        this.length = length;
        this.plane = plane;
        this.window = FrameAck.window(FrameHeader.BYTES + (long) Double.BYTES * length);
        this.lastSent = System.nanoTime() - Duration.ofHours(1).toNanos();
    }

    /** Whether there are values to send. On the bulk loop. */
    abstract boolean hasPending();

    /** The next values to send, until {@link #releaseFrame} gives them back; null if there are none. On the bulk loop. */
    abstract @Nullable HaloBuffer nextFrame();

    /** The frame of {@link #nextFrame} is no longer read. */
    abstract void releaseFrame();

    /** Marks what was sent to the last peer as not sent. On the bulk loop. */
    abstract void markUnsent();

    /** Called by the compute thread after it filled its slot. */
    final void requestFlush(boolean now) {
        if (now) {
            urgent.set(true);
            armed.set(true);
            plane.loop().execute(flush);
        } else if (!armed.get() && armed.compareAndSet(false, true)) {
            plane.loop().execute(flush);
        }
    }

    /** Hands values over within this process; false if the reader is elsewhere. By the compute thread. */
    final boolean deliverLocally(double[] values, Incarnation incarnation, int step, long iteration, int coarse) {
        LinkReceiver target = local;
        if (target == null) {
            return false;
        }
        target.receiveLocal(values, incarnation, step, iteration, coarse, plane.self());
        frames.incrementAndGet();
        newestSent = iteration;
        return true;
    }

    @Override
    public final void setLifetime(double iterations) {
        depth = iterations;
    }

    @Override
    public final void route(WorkerId peer) {
        plane.loop().execute(() -> {
            WorkerId old = route;
            if (peer.equals(old) || removed) {
                return;
            }
            if (old != null) {
                plane.peer(old).remove(this);
                reconnects.incrementAndGet();
            }
            route = peer;
            connectionLost();
            plane.routed(this, peer);
            flush();
        });
    }

    /** The reader is in this process, or no longer is. On the bulk loop. */
    final void bindLocal(@Nullable LinkReceiver target) {
        local = target;
        if (target != null) {
            markUnsent();
            flush();
        }
    }

    final @Nullable WorkerId routedTo() {
        return route;
    }

    /** On the bulk loop. */
    final void remove() {
        removed = true;
        local = null;
        WorkerId peer = route;
        if (peer != null) {
            plane.peer(peer).remove(this);
        }
    }

    @Override
    public final void sendRecorded(long sid, int step, Incarnation incarnation, long hash, double[] values) {
        if (values.length < length) {
            throw new IllegalArgumentException(
                    "recorded values of link " + edge + " are " + values.length + ", must be " + length);
        }
        recordedSlot.accumulateAndGet(
                new RecordedValues(sid, step, incarnation, hash, values),
                (old, next) -> old == null || next == null || next.sid() >= old.sid() ? next : old);
        armed.set(true);
        plane.loop().execute(flush);
    }

    @Override
    public final void resend() {
        plane.loop().execute(() -> {
            markUnsent();
            urgent.set(true);
            flush();
        });
    }

    /** Sends what can be sent now. On the bulk loop. */
    final void flush() {
        armed.set(false);
        WorkerId peer = route;
        if (peer == null || removed) {
            armed.set(!removed);
            return;
        }
        if (peer.equals(plane.self())) {
            flushLocally();
            return;
        }
        BulkConnection target = plane.peer(peer);
        boolean sent = false;
        while (true) {
            boolean values = hasPending();
            if (!values && recordedSlot.get() == null) {
                if (sent || timer) {
                    flushAt(plane.pacer().due(lastSent, depth, iterationNanos) - System.nanoTime());
                }
                return;
            }
            if (unacknowledged >= window || !target.isReady()) {
                armed.set(true); // an acknowledgement, or the transport, will flush
                return;
            }
            RecordedValues recorded = recordedSlot.getAndSet(null);
            if (recorded != null) {
                unconfirmed = recorded;
                recordedAt = (oldest + unacknowledged) % FrameAck.MAX_WINDOW;
                FrameHeader header =
                        header(FrameKind.RECORDED, recorded.incarnation(), recorded.step(), recorded.sid(), 0);
                send(target, header, recorded.hash(), recorded.values());
                continue;
            }
            long wait = plane.pacer().due(lastSent, depth, iterationNanos) - System.nanoTime();
            if (wait > 0 && !urgent.get()) {
                flushAt(wait);
                return;
            }
            urgent.set(false);
            sendValues(target);
            sent = true;
        }
    }

    /** Flushes after this time; until then the compute thread need not wake the loop. */
    private void flushAt(long wait) {
        if (wait > 0) {
            armed.set(true);
            if (!timer) {
                timer = true;
                plane.loop().schedule(this::onTimer, wait);
            }
        }
    }

    private void onTimer() {
        timer = false;
        flush();
    }

    private void sendValues(BulkConnection target) {
        HaloBuffer frame = nextFrame();
        if (frame == null || frame.incarnation == null) {
            return;
        }
        try {
            newestSent = frame.iteration;
            send(
                    target,
                    header(FrameKind.HALO, frame.incarnation, frame.step, frame.iteration, frame.coarseVersion),
                    0,
                    frame.values);
        } finally {
            releaseFrame();
        }
        long now = System.nanoTime();
        long iterations = frame.iteration - lastIteration;
        if (iterations > 0 && lastIteration > 0 && plane.idlePeriods() == idlePeriodsAtLast) {
            double sample = (double) (now - lastSent) / iterations;
            iterationNanos = iterationNanos == 0 ? sample : iterationNanos + SMOOTHING * (sample - iterationNanos);
        }
        idlePeriodsAtLast = plane.idlePeriods();
        lastIteration = frame.iteration;
        lastSent = now;
        plane.pacer().sent(this, now);
    }

    private FrameHeader header(FrameKind kind, Incarnation incarnation, int step, long iteration, int coarse) {
        return new FrameHeader(
                kind, edge.from(), edge.to(), incarnation, step, iteration, coarse, length, 0, plane.problem());
    }

    private void send(BulkConnection target, FrameHeader header, long hash, double[] values) {
        FrameWriter writer = plane.writer();
        writer.layOut(header, hash, values);
        sentAt[(oldest + unacknowledged) % FrameAck.MAX_WINDOW] = System.nanoTime();
        unacknowledged++;
        frames.incrementAndGet();
        bytes.addAndGet(writer.length());
        target.send(writer);
    }

    private void flushLocally() {
        LinkReceiver target = local;
        if (target == null) {
            armed.set(true); // binding will flush
            return;
        }
        RecordedValues recorded = recordedSlot.getAndSet(null);
        if (recorded != null) {
            plane.recordedLocally(
                    edge, recorded.sid(), recorded.step(), recorded.incarnation(), recorded.hash(), recorded.values());
        }
        while (hasPending()) {
            HaloBuffer frame = nextFrame();
            if (frame == null || frame.incarnation == null) {
                return;
            }
            target.receiveLocal(
                    frame.values, frame.incarnation, frame.step, frame.iteration, frame.coarseVersion, plane.self());
            releaseFrame();
        }
    }

    /** The reader has read the oldest frames on the way. On the bulk loop. */
    final void acknowledged(int count) {
        long now = System.nanoTime();
        for (int i = 0; i < count && unacknowledged > 0; i++) {
            if (i == count - 1) {
                double sample = now - sentAt[oldest];
                roundTrip = roundTrip == 0 ? sample : roundTrip + SMOOTHING * (sample - roundTrip);
            }
            if (oldest == recordedAt) {
                recordedAt = -1;
                unconfirmed = null;
            }
            oldest = (oldest + 1) % FrameAck.MAX_WINDOW;
            unacknowledged--;
        }
        flush();
    }

    /** What was on the way is lost. On the bulk loop. */
    final void connectionLost() {
        unacknowledged = 0;
        recordedAt = -1;
        if (unconfirmed != null) {
            recordedSlot.compareAndSet(null, unconfirmed);
            unconfirmed = null;
        }
        markUnsent();
        armed.set(true);
    }

    /** A new connection is there. On the bulk loop. */
    final void reconnected() {
        reconnects.incrementAndGet();
        flush();
    }

    @Override
    public final LinkTelemetry telemetry() {
        double smoothed = roundTrip;
        return new LinkTelemetry(
                edge.from(),
                edge.to(),
                frames.get(),
                bytes.get(),
                conflated.get(),
                0,
                0,
                reconnects.get(),
                smoothed == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(Math.round(smoothed))),
                Optional.empty(),
                newestSent);
    }

    @Override
    public final int from() {
        return edge.from();
    }

    @Override
    public final int to() {
        return edge.to();
    }

    @Override
    public final int length() {
        return length;
    }
}
