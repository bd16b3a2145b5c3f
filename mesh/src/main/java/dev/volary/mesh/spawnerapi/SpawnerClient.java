// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import dev.volary.mesh.v1.AcknowledgeRequest;
import dev.volary.mesh.v1.CheckpointReply;
import dev.volary.mesh.v1.CheckpointRequest;
import dev.volary.mesh.v1.DeliverReply;
import dev.volary.mesh.v1.DeliverRequest;
import dev.volary.mesh.v1.DeliveredPart;
import dev.volary.mesh.v1.FetchPosition;
import dev.volary.mesh.v1.FetchRequest;
import dev.volary.mesh.v1.FetchedFile;
import dev.volary.mesh.v1.ForgetPartsRequest;
import dev.volary.mesh.v1.HintKind;
import dev.volary.mesh.v1.HintRequest;
import dev.volary.mesh.v1.HoldPartsRequest;
import dev.volary.mesh.v1.IntroduceReply;
import dev.volary.mesh.v1.IntroduceRequest;
import dev.volary.mesh.v1.KeepResultRequest;
import dev.volary.mesh.v1.KillReply;
import dev.volary.mesh.v1.KillRequest;
import dev.volary.mesh.v1.PendingResult;
import dev.volary.mesh.v1.ReadPartRequest;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.StatusRequest;
import dev.volary.protocol.model.Address;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A spawner, asked from outside the mesh. Calls block, any thread but an event loop's may make them, several at a time. They
 * throw {@link RefusedException} if the spawner says no, and {@link IOException} if it cannot be reached or cannot do it.
 */
public final class SpawnerClient implements AutoCloseable {
    static final int PIECE_BYTES = 256 << 10;
    private static final int PIECE_VALUES = PIECE_BYTES / Double.BYTES;
    /** A call that transfers files may take as long as it makes progress: the server reads a file before it sends it. */
    static final Duration STANDSTILL = Duration.ofSeconds(60);

    /** A spawner that receives a part says at least every five seconds that it lives. */
    private static final Duration TAKEN = Duration.ofSeconds(30);

    /** The spawner reads the whole result to compare its digest. */
    private static final Duration READING = Duration.ofMinutes(5);

    /** Bounds the size of a request. */
    private static final int FILES_PER_CALL = 4096;

    private static final long NO_EVENT = Long.MAX_VALUE;

    private final Call call;

    SpawnerClient(Address address, ManagedChannel channel) {
        this.call = new Call(address, channel);
    }

    /** Where it was reached. */
    public Address address() {
        return call.address();
    }

    /**
     * How the job is doing.
     *
     * @param eventsSince number of the first event wanted
     */
    public StatusReply status(long eventsSince) throws IOException {
        return ask(StatusRequest.newBuilder().setEventsSince(eventsSince));
    }

    /**
     * How the job is doing, but for its events; says how many daemons are to compute, and for how long the job has been active.
     *
     * @param wantedDaemons at least 1
     */
    public StatusReply poll(int wantedDaemons, Duration active) throws IOException {
        return ask(StatusRequest.newBuilder()
                .setEventsSince(NO_EVENT)
                .setWantedDaemons(wantedDaemons)
                .setActiveMillis(active.toMillis()));
    }

    private StatusReply ask(StatusRequest.Builder request) throws IOException {
        return call.ask(Methods.STATUS, request.build(), Call.SHORT);
    }

    /** Reports that a pod is about to end, or has ended; returns whether its worker belongs to this spawner. */
    public boolean hint(String pod, HintKind kind) throws IOException {
        return call.ask(
                        Methods.HINT,
                        HintRequest.newBuilder().setPod(pod).setKind(kind).build(),
                        Call.SHORT)
                .getKnown();
    }

    /** Takes a snapshot; only the leader does. */
    public CheckpointReply checkpoint(Duration timeout) throws IOException {
        return call.ask(Methods.CHECKPOINT, CheckpointRequest.getDefaultInstance(), timeout);
    }

    /** Ends workers without warning. */
    public KillReply kill(List<String> pods) throws IOException {
        return call.ask(Methods.KILL, KillRequest.newBuilder().addAllPods(pods).build(), Call.SHORT);
    }

    /** Identifies the spawner and the spawners that it knows. */
    public IntroduceReply introduce(Duration timeout) throws IOException {
        return call.ask(Methods.INTRODUCE, IntroduceRequest.getDefaultInstance(), timeout);
    }

    /** The files of the result of a job that is over, without their contents. */
    public List<FetchedFile> listFiles() throws IOException {
        return list(0, FetchProgress.NONE);
    }

    private List<FetchedFile> list(long sid, FetchProgress progress) throws IOException {
        List<FetchedFile> files = new ArrayList<>();
        String[] digest = {""};
        read(
                Methods.FETCH,
                FetchRequest.newBuilder().setListOnly(true).setSid(sid).build(),
                reply -> {
                    if (reply.hasFile()) {
                        files.add(reply.getFile());
                        progress.at(0, 0);
                    } else if (reply.hasDigest()) {
                        digest[0] = reply.getDigest();
                    }
                });
        if (!ResultDigest.of(files).equals(digest[0])) {
            throw new IOException("%s listed %d files, and states a digest that is not theirs; fetch again"
                    .formatted(address(), files.size()));
        }
        return List.copyOf(files);
    }

    /** As {@link #fetch(Path, long, FetchProgress)}, of a job that is over. */
    public List<FetchedFile> fetch(Path folder) throws IOException {
        return fetch(folder, 0, FetchProgress.NONE);
    }

    /**
     * Fetches the result: all files below {@code folder}, each checked, forced to disk and given its final name only when it is
     * whole. Continues what an earlier fetch of the same result, from any spawner, has left in the folder. Takes as long as it
     * makes progress. Marks nothing; see {@link #acknowledge}.
     *
     * @param folder for this result only: other files in it are removed
     * @param sid the snapshot whose result is wanted, whether or not the job is over; 0 for the result of a job that is over
     * @return all files of the result
     * @throws DownloadWriteException if the disk here does not take it
     * @throws IOException naming the file if one is damaged or missing
     */
    public List<FetchedFile> fetch(Path folder, long sid, FetchProgress progress) throws IOException {
        List<FetchedFile> files = list(sid, progress);
        FetchFolder arrived = FetchFolder.open(folder, files);
        progress.at(arrived.bytes(), arrived.totalBytes());
        List<FetchPosition> missing = arrived.missing(FILES_PER_CALL);
        while (!missing.isEmpty()) {
            try (FileReceiver receiver = new FileReceiver(arrived, progress)) {
                FetchRequest request = FetchRequest.newBuilder()
                        .setSid(sid)
                        .addAllWanted(missing)
                        .build();
                read(Methods.FETCH, request, receiver::take);
                receiver.finish();
            } catch (DamagedFileException e) {
                if (!e.isResumed()) {
                    throw e;
                }
                // The bytes from the earlier fetch may be the damaged ones: they are removed, and the file is sent from
                // its beginning.
            }
            missing = arrived.missing(FILES_PER_CALL);
        }
        return files;
    }

    /**
     * Says that the fetched result is durable here, so that the spawner may release it. May be repeated.
     *
     * @param digest of the files ({@link ResultDigest})
     * @throws RefusedException if the spawner has another result
     */
    public void acknowledge(String digest) throws IOException {
        var _ = call.ask(
                Methods.ACKNOWLEDGE,
                AcknowledgeRequest.newBuilder().setDigest(digest).build(),
                READING);
    }

    /**
     * Reads a recorded part that is stored there.
     *
     * @param count number of doubles it must hold
     * @param checksum CRC-32C that its bytes must have
     * @throws RefusedException if it is not stored there
     * @throws IOException if it cannot be read, or has another length or checksum
     */
    public double[] readPart(long sid, int block, int count, int checksum) throws IOException {
        PartReceiver part = new PartReceiver(count);
        try {
            read(
                    Methods.READ_PART,
                    ReadPartRequest.newBuilder().setSid(sid).setBlock(block).build(),
                    reply -> part.append(reply.getPiece()));
            return part.values(checksum);
        } catch (IllegalStateException damaged) {
            throw new IOException(address() + ": " + damaged.getMessage(), damaged);
        }
    }

    /** Takes the pieces of a part; the buffer is read only. */
    public interface PieceConsumer {
        void accept(ByteBuffer piece) throws IOException;
    }

    /**
     * As {@link #readPart(long, int, int, int)}, piece by piece; the caller compares size and checksum.
     *
     * @throws RefusedException if it is not stored there
     */
    public void readPart(long sid, int block, PieceConsumer out) throws IOException {
        read(
                Methods.READ_PART,
                ReadPartRequest.newBuilder().setSid(sid).setBlock(block).build(),
                reply -> out.accept(reply.getPiece().asReadOnlyByteBuffer()));
    }

    /** Says that parts of snapshots before this one are of no use any more. */
    public void forgetParts(long before) throws IOException {
        var _ = call.ask(
                Methods.FORGET_PARTS,
                ForgetPartsRequest.newBuilder().setBefore(before).build(),
                Call.SHORT);
    }

    /** Asks this spawner to hold parts of a snapshot. Returns when all are durable there; takes as long as it makes progress. */
    public void holdParts(HoldPartsRequest parts) throws IOException {
        int[] held = {0};
        read(Methods.HOLD_PARTS, parts, reply -> held[0] = reply.getHeld());
        if (held[0] < parts.getPartsCount()) {
            throw new IOException("%s holds %d of %d parts".formatted(address(), held[0], parts.getPartsCount()));
        }
    }

    /**
     * Asks this spawner to fetch the result of another one and to keep it. Returns when the copy is durable there; takes as long as
     * it makes progress.
     *
     * @param from control address of the one that has the result
     * @param digest of its files
     * @param over whether the job is over
     */
    public void keepResult(Address from, String digest, PendingResult result, boolean over) throws IOException {
        boolean[] durable = {false};
        read(
                Methods.KEEP_RESULT,
                KeepResultRequest.newBuilder()
                        .setHost(from.host())
                        .setPort(from.port())
                        .setDigest(digest)
                        .setResult(result)
                        .setOver(over)
                        .build(),
                reply -> durable[0] |= reply.getDurable());
        if (!durable[0]) {
            throw new IOException(address() + " did not say that its copy is durable");
        }
    }

    private interface ReplyHandler<A> {
        void handle(A reply) throws IOException;
    }

    private <Q, A> void read(MethodDescriptor<Q, A> method, Q question, ReplyHandler<A> handler) throws IOException {
        BlockingClientCall<Q, A> replies =
                ClientCalls.blockingV2ServerStreamingCall(call.connecting(), method, CallOptions.DEFAULT, question);
        try {
            for (A reply = next(replies); reply != null; reply = next(replies)) {
                handler.handle(reply);
            }
        } catch (StatusException e) {
            throw call.failure(e);
        } catch (TimeoutException e) {
            replies.cancel("nothing arrived for " + STANDSTILL, e);
            throw new IOException(address() + " sent nothing for " + STANDSTILL.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            replies.cancel("interrupted", e);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading from " + address(), e);
        } catch (IOException | RuntimeException e) {
            replies.cancel("what was sent cannot be taken", e);
            throw e;
        }
    }

    private static <A> @Nullable A next(BlockingClientCall<?, A> replies)
            throws InterruptedException, TimeoutException, StatusException {
        return replies.read(STANDSTILL.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Brings a recorded part to a spawner. Takes as long as it makes progress.
     *
     * @param secondCopy whether it is a copy that this spawner keeps for the leader
     * @param values the first {@code count} are sent
     * @param onProgress called when the spawner has taken some more
     * @return CRC-32C of its bytes as stored there
     */
    public int deliver(long sid, int block, double[] values, int count, boolean secondCopy, Runnable onProgress)
            throws IOException {
        BlockingClientCall<DeliverRequest, DeliverReply> stream =
                ClientCalls.blockingBidiStreamingCall(call.connecting(), Methods.DELIVER, CallOptions.DEFAULT);
        try {
            send(
                    stream,
                    DeliverRequest.newBuilder()
                            .setPart(DeliveredPart.newBuilder()
                                    .setSid(sid)
                                    .setBlock(block)
                                    .setCount(count)
                                    .setSecondCopy(secondCopy))
                            .build());
            int sent = 0;
            for (DeliverReply reply = taken(stream); reply != null; reply = taken(stream)) {
                if (reply.getDurable()) {
                    return reply.getChecksum();
                }
                onProgress.run();
                int granted = (int) Math.min(count, reply.getCreditBytes() / Double.BYTES);
                while (sent < granted) {
                    int size = Math.min(PIECE_VALUES, granted - sent);
                    send(
                            stream,
                            DeliverRequest.newBuilder()
                                    .setPiece(PartReceiver.piece(values, sent, size))
                                    .build());
                    sent += size;
                }
            }
            throw new IOException(address() + " closed the call without an answer");
        } catch (StatusException e) {
            throw call.failure(e);
        } catch (TimeoutException e) {
            throw new IOException(address() + " took nothing for " + TAKEN.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while delivering to " + address(), e);
        } finally {
            stream.cancel("over", null); // no effect on a call that has ended
        }
    }

    /** If the call has ended meanwhile, the next reply says why. */
    private static void send(BlockingClientCall<DeliverRequest, DeliverReply> stream, DeliverRequest request)
            throws InterruptedException, TimeoutException, StatusException {
        var _ = stream.write(request, TAKEN.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static @Nullable DeliverReply taken(BlockingClientCall<DeliverRequest, DeliverReply> stream)
            throws InterruptedException, TimeoutException, StatusException {
        return stream.read(TAKEN.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        call.close();
    }
}
