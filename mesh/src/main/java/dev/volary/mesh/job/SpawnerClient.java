package dev.volary.mesh.job;

import dev.volary.mesh.v1.CheckpointReply;
import dev.volary.mesh.v1.CheckpointRequest;
import dev.volary.mesh.v1.DeliverReply;
import dev.volary.mesh.v1.DeliverRequest;
import dev.volary.mesh.v1.DeliveredPart;
import dev.volary.mesh.v1.FetchReply;
import dev.volary.mesh.v1.FetchRequest;
import dev.volary.mesh.v1.FetchedFile;
import dev.volary.mesh.v1.HintKind;
import dev.volary.mesh.v1.HintRequest;
import dev.volary.mesh.v1.IntroduceReply;
import dev.volary.mesh.v1.IntroduceRequest;
import dev.volary.mesh.v1.KillReply;
import dev.volary.mesh.v1.KillRequest;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.StatusRequest;
import dev.volary.protocol.Address;
import io.grpc.ManagedChannel;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A spawner, asked from outside the mesh. Calls block, any thread but an event loop's may make them, several at a time. They
 * throw {@link RefusedException} if the spawner says no, and {@link IOException} if it cannot be reached or cannot do it.
 */
public final class SpawnerClient implements AutoCloseable {
    private static final int PIECE_VALUES = 1 << 15; // 256 KiB
    private static final Duration TRANSFER = Duration.ofMinutes(30);
    private static final long SLOWEST_BYTES_PER_SECOND = 512 << 10;

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
     * How the job is doing, but for its events; says how many daemons are to compute.
     *
     * @param wantedDaemons at least 1
     */
    public StatusReply poll(int wantedDaemons) throws IOException {
        return ask(StatusRequest.newBuilder().setEventsSince(NO_EVENT).setWantedDaemons(wantedDaemons));
    }

    private StatusReply ask(StatusRequest.Builder request) throws IOException {
        return call.ask(Methods.STATUS, request.build(), Call.SOON);
    }

    /** Says that a pod is going or gone; returns whether this spawner looks after it. */
    public boolean hint(String pod, HintKind kind) throws IOException {
        return call.ask(
                        Methods.HINT,
                        HintRequest.newBuilder().setPod(pod).setKind(kind).build(),
                        Call.SOON)
                .getKnown();
    }

    /** Takes a snapshot; only the lead does. */
    public CheckpointReply checkpoint(Duration timeout) throws IOException {
        return call.ask(Methods.CHECKPOINT, CheckpointRequest.getDefaultInstance(), timeout);
    }

    /** Ends workers without warning. */
    public KillReply kill(List<String> pods) throws IOException {
        return call.ask(Methods.KILL, KillRequest.newBuilder().addAllPods(pods).build(), Call.SOON);
    }

    /** Who it is and whom it knows. */
    public IntroduceReply introduce(Duration timeout) throws IOException {
        return call.ask(Methods.INTRODUCE, IntroduceRequest.getDefaultInstance(), timeout);
    }

    /** The files of the result, without their contents. */
    public List<FetchedFile> list() throws IOException {
        List<FetchedFile> files = new ArrayList<>();
        fetch(true, reply -> files.add(reply.getFile()));
        return files;
    }

    /**
     * Brings the result home: all files below {@code folder}, each checked, each under its final name only when it is whole.
     *
     * @throws IOException naming the file if one is damaged or cannot be written; what is there is whole
     */
    public List<FetchedFile> fetch(Path folder) throws IOException {
        try (FileWriter files = new FileWriter(folder)) {
            fetch(false, files::take);
            return files.finish();
        }
    }

    private interface Taker {
        void take(FetchReply reply) throws IOException;
    }

    private void fetch(boolean listOnly, Taker taker) throws IOException {
        BlockingClientCall<FetchRequest, FetchReply> replies = ClientCalls.blockingV2ServerStreamingCall(
                call.channel(),
                Methods.FETCH,
                Call.options(TRANSFER),
                FetchRequest.newBuilder().setListOnly(listOnly).build());
        try {
            for (FetchReply reply = replies.read(); reply != null; reply = replies.read()) {
                taker.take(reply);
            }
        } catch (StatusException e) {
            throw call.failure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while fetching from " + address(), e);
        } catch (IOException e) {
            replies.cancel("the result cannot be written", e);
            throw e;
        }
    }

    /**
     * Brings a recorded part to the lead.
     *
     * @param values the first {@code count} are sent
     * @param timeout for all of it, beside the time that the bytes take
     * @return CRC-32C of its bytes as stored there
     */
    public int deliver(long sid, int block, double[] values, int count, Duration timeout) throws IOException {
        BlockingClientCall<DeliverRequest, DeliverReply> stream = ClientCalls.blockingClientStreamingCall(
                call.channel(), Methods.DELIVER, Call.options(timeout.plus(transfer(count))));
        try {
            boolean open = stream.write(DeliverRequest.newBuilder()
                    .setPart(DeliveredPart.newBuilder()
                            .setSid(sid)
                            .setBlock(block)
                            .setCount(count))
                    .build());
            for (int from = 0; from < count && open; from += PIECE_VALUES) {
                int size = Math.min(PIECE_VALUES, count - from);
                open = stream.write(DeliverRequest.newBuilder()
                        .setPiece(PartBuffer.piece(values, from, size))
                        .build());
            }
            stream.halfClose();
            DeliverReply reply = stream.read();
            if (reply == null) {
                throw new IOException(address() + " closed the call without an answer");
            }
            return reply.getChecksum();
        } catch (StatusException e) {
            throw call.failure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while delivering to " + address(), e);
        }
    }

    /** How long a part may take on its way: a busy spawner decrypts the parts of all daemons at once. */
    private static Duration transfer(int count) {
        return Duration.ofSeconds((long) count * Double.BYTES / SLOWEST_BYTES_PER_SECOND);
    }

    @Override
    public void close() {
        call.close();
    }
}
