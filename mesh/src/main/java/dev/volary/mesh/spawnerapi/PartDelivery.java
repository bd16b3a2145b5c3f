// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import com.google.protobuf.ByteString;
import dev.volary.mesh.v1.DeliverReply;
import dev.volary.mesh.v1.DeliverRequest;
import dev.volary.mesh.v1.DeliveredPart;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Receives one part. The sender sends as many bytes as it was granted, so that at most {@link #CREDIT_BYTES} of a part are in memory,
 * of as many parts as have a turn at once. The event loop calls the observer's methods; the pieces are taken on a thread of the
 * call's own, which also sends all replies.
 */
final class PartDelivery implements StreamObserver<DeliverRequest>, PartPieces {
    /** How far a sender may be ahead of the disk. */
    static final long CREDIT_BYTES = 1 << 20;

    /** How many parts of a spawner arrive at once; others wait. */
    static final int TURNS = 8;

    /** A part that waits for its turn says so, so that its sender knows that the spawner lives. */
    private static final Duration WAITING = Duration.ofSeconds(5);

    private final SpawnerApi calls;
    private final StreamObserver<DeliverReply> to;
    private final Semaphore turns;
    private final Function<Throwable, StatusRuntimeException> status;
    /** Pieces; empty when nothing follows. Bounded by the credit. */
    private final LinkedBlockingQueue<Optional<ByteString>> arrived = new LinkedBlockingQueue<>();

    private volatile boolean isOver;
    private DeliveredPart part = DeliveredPart.getDefaultInstance();
    private boolean isStarted;
    private boolean hasTurn;
    private long receivedBytes;
    private long grantedBytes;

    /**
     * @param turns of all deliveries of a spawner
     * @param status what the sender is sent of a failure
     */
    PartDelivery(
            SpawnerApi calls,
            StreamObserver<DeliverReply> to,
            Semaphore turns,
            Function<Throwable, StatusRuntimeException> status) {
        this.calls = calls;
        this.to = to;
        this.turns = turns;
        this.status = status;
    }

    @Override
    public void onNext(DeliverRequest request) {
        switch (request.getWhatCase()) {
            case PART -> {
                if (!isStarted) {
                    isStarted = true;
                    part = request.getPart();
                    Thread.ofVirtual().name("part").start(this::deliver);
                }
            }
            case PIECE -> {
                // Without this bound a sender of another version could fill the memory.
                if (!isOver && arrived.size() <= CREDIT_BYTES / SpawnerClient.PIECE_BYTES) {
                    arrived.add(Optional.of(request.getPiece()));
                } else {
                    isOver = true;
                    arrived.add(Optional.empty());
                }
            }
            case WHAT_NOT_SET -> arrived.add(Optional.empty());
        }
    }

    @Override
    public void onError(Throwable canceled) {
        isOver = true;
        arrived.add(Optional.empty());
    }

    @Override
    public void onCompleted() {
        arrived.add(Optional.empty());
        if (!isStarted) {
            refuse(new IllegalStateException("the call names no part; use matching versions"));
        }
    }

    private void deliver() {
        try {
            if (part.getCount() < 0) {
                throw new IllegalStateException("the part has " + Integer.toUnsignedString(part.getCount())
                        + " values, more than a block can have");
            }
            int checksum = calls.deliver(part, this);
            to.onNext(DeliverReply.newBuilder()
                    .setChecksum(checksum)
                    .setDurable(true)
                    .build());
            to.onCompleted();
        } catch (IOException | RuntimeException e) {
            refuse(e);
        } finally {
            isOver = true;
            arrived.clear();
            if (hasTurn) {
                turns.release();
            }
        }
    }

    private void refuse(Exception reason) {
        try {
            to.onError(status.apply(reason));
        } catch (RuntimeException canceled) {
            // The sender has gone: nothing waits for the reason.
        }
    }

    @Override
    public Optional<ByteBuffer> next() {
        long bytes = (long) part.getCount() * Double.BYTES;
        try {
            if (!hasTurn) {
                awaitTurn();
            }
            if (receivedBytes == bytes) {
                return Optional.empty();
            }
            grant(Math.min(bytes, receivedBytes + CREDIT_BYTES), bytes);
            Optional<ByteString> piece = arrived.poll(SpawnerClient.STANDSTILL.toNanos(), TimeUnit.NANOSECONDS);
            if (piece == null) {
                throw new IllegalStateException(
                        "nothing of the part arrived for " + SpawnerClient.STANDSTILL.toSeconds() + " s");
            }
            ByteString values = piece.orElseThrow(() -> new IllegalStateException(
                    "the part broke off after %d of %d bytes".formatted(receivedBytes, bytes)));
            receivedBytes += values.size();
            return Optional.of(values.asReadOnlyByteBuffer());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a part arrived", e);
        }
    }

    private void awaitTurn() throws InterruptedException {
        while (!turns.tryAcquire(WAITING.toNanos(), TimeUnit.NANOSECONDS)) {
            if (isOver) {
                throw new IllegalStateException("the sender has gone");
            }
            to.onNext(DeliverReply.getDefaultInstance());
        }
        hasTurn = true;
    }

    /** Half of the credit is granted at a time, so that there are few replies and the sender does not wait for them. */
    private void grant(long upToBytes, long allBytes) {
        if (upToBytes - grantedBytes >= CREDIT_BYTES / 2 || (upToBytes == allBytes && grantedBytes < allBytes)) {
            grantedBytes = upToBytes;
            to.onNext(DeliverReply.newBuilder().setCreditBytes(upToBytes).build());
        }
    }
}
