// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.halo;

import dev.volary.mesh.frame.CorruptFrameException;
import dev.volary.mesh.frame.FrameHeader;
import dev.volary.mesh.frame.FrameReader;
import dev.volary.mesh.link.BlockPair;
import dev.volary.mesh.link.IncomingLink;
import dev.volary.mesh.link.LinkTelemetry;
import dev.volary.mesh.link.MeshListener;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What both kinds of receiving ends share. Writers are the bulk loop and, if the sending block is in this process, its compute
 * thread; {@link #writers} keeps them apart, which matters only while a block moves.
 */
abstract class LinkReceiver {
    private static final long FENCE_NOTICE_NANOS = 100_000_000L;

    final BlockPair edge;
    final int length;
    final Object writers = new Object();
    final AtomicLong conflated = new AtomicLong();
    private final MeshListener listener;
    private final AtomicLong frames = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong corrupt = new AtomicLong();
    private @Nullable Incarnation last;
    private long fencedAt;
    private volatile Runnable wake = () -> {};

    /** Copies of the frame in use for {@link #telemetry}, which any thread may ask for. */
    private volatile long usedIteration = -1;

    private volatile long usedNanos;

    LinkReceiver(BlockPair edge, int length, MeshListener listener) {
        this.edge = edge;
        this.length = length;
        this.listener = listener;
        this.fencedAt = System.nanoTime() - FENCE_NOTICE_NANOS;
    }

    /** Whether an offered frame was admitted, and why not. */
    enum Admission {
        ADMITTED,
        STALE,
        FENCED
    }

    /** What the listener must be notified of after a frame was offered. */
    private enum Arrival {
        NOTHING,
        NEXT,
        FIRST
    }

    /** A buffer to fill, if a frame of this key can be wanted. Under {@link #writers}. */
    abstract @Nullable HaloBuffer buffer(Incarnation incarnation, int step, long iteration);

    /** The buffer is filled: decides by its key. Under {@link #writers}. */
    abstract Admission commit(
            HaloBuffer filled, Incarnation incarnation, int step, long iteration, int coarse, long nanos);

    /** Values from the network. */
    void receive(FrameReader reader, InputStream in, FrameHeader header, WorkerId sender)
            throws IOException, CorruptFrameException {
        FrameHeader.require(
                header.count() == length, "count of link " + edge, header.count(), length + " as this end has it");
        Arrival arrival;
        synchronized (writers) {
            HaloBuffer frame = buffer(header.incarnation(), header.step(), header.iteration());
            if (frame == null) {
                dropped.incrementAndGet();
                return;
            }
            reader.values(in, header, frame.values);
            Incarnation incarnation = sameObject(header.incarnation());
            arrival = admit(
                    frame,
                    incarnation,
                    header.step(),
                    header.iteration(),
                    header.coarseVersion(),
                    header.frameBytes(),
                    sender);
        }
        notifyListener(arrival, header.incarnation(), header.step(), header.iteration());
    }

    /** Values of a block in this process. Allocates nothing unless they are the first of an incarnation. */
    void receiveLocal(double[] values, Incarnation incarnation, int step, long iteration, int coarse, WorkerId self) {
        Arrival arrival;
        synchronized (writers) {
            HaloBuffer frame = buffer(incarnation, step, iteration);
            if (frame == null) {
                dropped.incrementAndGet();
                return;
            }
            System.arraycopy(values, 0, frame.values, 0, length);
            arrival = admit(frame, incarnation, step, iteration, coarse, (long) Double.BYTES * length, self);
        }
        notifyListener(arrival, incarnation, step, iteration);
    }

    private Arrival admit(
            HaloBuffer frame,
            Incarnation incarnation,
            int step,
            long iteration,
            int coarse,
            long size,
            WorkerId sender) {
        long now = System.nanoTime();
        switch (commit(frame, incarnation, step, iteration, coarse, now)) {
            case ADMITTED -> {
                frames.incrementAndGet();
                bytes.addAndGet(size);
                Arrival arrival = incarnation.equals(last) ? Arrival.NEXT : Arrival.FIRST;
                last = incarnation;
                return arrival;
            }
            case STALE -> dropped.incrementAndGet();
            case FENCED -> {
                dropped.incrementAndGet();
                if (now - fencedAt >= FENCE_NOTICE_NANOS) {
                    fencedAt = now;
                    Incarnation taken = last == null ? incarnation : last;
                    Incarnation newest = taken.compareTo(incarnation) > 0 ? taken : incarnation;
                    listener.staleHalo(edge.from(), incarnation, newest, sender);
                }
            }
        }
        return Arrival.NOTHING;
    }

    /** The object that is in use for this incarnation, so that equal incarnations share one. */
    private Incarnation sameObject(Incarnation incarnation) {
        Incarnation known = last;
        return known != null && known.equals(incarnation) ? known : incarnation;
    }

    private void notifyListener(Arrival arrival, Incarnation incarnation, int step, long iteration) {
        if (arrival == Arrival.NOTHING) {
            return;
        }
        wake.run();
        if (arrival == Arrival.FIRST) {
            listener.firstHalo(edge.from(), edge.to(), new BlockVersion(incarnation, step, iteration));
        }
    }

    /** As {@link IncomingLink#onArrival}. */
    public void onArrival(Runnable newWake) {
        wake = newWake;
    }

    void countCorrupt() {
        corrupt.incrementAndGet();
    }

    /** A frame is in use from now on. By the compute thread. */
    void setInUse(HaloBuffer frame) {
        usedIteration = frame.iteration;
        usedNanos = frame.nanos;
    }

    /** As {@link IncomingLink#telemetry}. */
    public LinkTelemetry telemetry() {
        long iteration = usedIteration;
        return new LinkTelemetry(
                edge.from(),
                edge.to(),
                frames.get(),
                bytes.get(),
                conflated.get(),
                dropped.get(),
                corrupt.get(),
                0,
                Optional.empty(),
                iteration < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(System.nanoTime() - usedNanos)),
                iteration);
    }

    /** As {@link IncomingLink#from}. */
    public int from() {
        return edge.from();
    }

    /** As {@link IncomingLink#to}. */
    public int to() {
        return edge.to();
    }

    /** As {@link IncomingLink#length}. */
    public int length() {
        return length;
    }

    static Incarnation incarnationOf(HaloBuffer frame, BlockPair edge) {
        if (frame.incarnation == null) {
            throw new IllegalStateException("link " + edge + " has no values yet");
        }
        return frame.incarnation;
    }
}
