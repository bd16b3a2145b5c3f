// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import dev.volary.mesh.tls.SpiffeId;
import dev.volary.mesh.v1.AcknowledgeReply;
import dev.volary.mesh.v1.ForgetPartsReply;
import dev.volary.mesh.v1.HaltReply;
import dev.volary.mesh.v1.LeaveReply;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The services of {@code cluster.proto}, for a worker's control server. */
public final class SpawnerGrpcService {
    private SpawnerGrpcService() {}

    /**
     * What spawners serve.
     *
     * @param me whose job callers must belong to
     */
    public static ServerServiceDefinition spawner(SpiffeId me, SpawnerApi calls) {
        Semaphore turns = new Semaphore(PartDelivery.TURNS);
        return ServerInterceptors.intercept(
                ServerServiceDefinition.builder(Methods.SPAWNER)
                        .addMethod(
                                Methods.STATUS,
                                ServerCalls.asyncUnaryCall((q, to) -> answer(() -> calls.status(q), to)))
                        .addMethod(Methods.HINT, ServerCalls.asyncUnaryCall((q, to) -> answer(() -> calls.hint(q), to)))
                        .addMethod(
                                Methods.CHECKPOINT,
                                ServerCalls.asyncUnaryCall((q, to) -> answer(calls::checkpoint, to)))
                        .addMethod(
                                Methods.FETCH,
                                ServerCalls.asyncServerStreamingCall((q, to) -> stream(out -> calls.fetch(q, out), to)))
                        .addMethod(
                                Methods.ACKNOWLEDGE,
                                ServerCalls.asyncUnaryCall((q, to) -> answer(
                                        () -> calls.acknowledge(q.getDigest())
                                                .thenApply(v -> AcknowledgeReply.getDefaultInstance()),
                                        to)))
                        .addMethod(
                                Methods.KILL,
                                ServerCalls.asyncUnaryCall((q, to) -> answer(() -> calls.kill(q, answered(to)), to)))
                        .addMethod(
                                Methods.INTRODUCE, ServerCalls.asyncUnaryCall((q, to) -> answer(calls::introduce, to)))
                        .addMethod(
                                Methods.DELIVER,
                                ServerCalls.asyncBidiStreamingCall(
                                        to -> new PartDelivery(calls, to, turns, SpawnerGrpcService::status)))
                        .addMethod(
                                Methods.READ_PART,
                                ServerCalls.asyncServerStreamingCall(
                                        (q, to) -> stream(out -> calls.readPart(q.getSid(), q.getBlock(), out), to)))
                        .addMethod(
                                Methods.FORGET_PARTS,
                                ServerCalls.asyncUnaryCall((q, to) -> answer(
                                        () -> calls.forgetParts(q.getBefore())
                                                .thenApply(v -> ForgetPartsReply.getDefaultInstance()),
                                        to)))
                        .addMethod(
                                Methods.HOLD_PARTS,
                                ServerCalls.asyncServerStreamingCall(
                                        (q, to) -> stream(out -> calls.holdParts(q, out), to)))
                        .addMethod(
                                Methods.KEEP_RESULT,
                                ServerCalls.asyncServerStreamingCall(
                                        (q, to) -> stream(out -> calls.keepResult(q, out), to)))
                        .build(),
                new CallAuthorizer(me));
    }

    /** What all workers of a cluster serve. */
    public static ServerServiceDefinition worker(SpiffeId me, WorkerApi calls) {
        return ServerInterceptors.intercept(
                ServerServiceDefinition.builder(Methods.WORKER)
                        .addMethod(
                                Methods.HALT,
                                ServerCalls.asyncUnaryCall((q, to) -> answer(
                                        () -> calls.halt(answered(to)).thenApply(v -> HaltReply.getDefaultInstance()),
                                        to)))
                        .addMethod(
                                Methods.LEAVE,
                                ServerCalls.asyncUnaryCall((q, to) -> answer(
                                        () -> calls.leave().thenApply(v -> LeaveReply.getDefaultInstance()), to)))
                        .build(),
                new CallAuthorizer(me));
    }

    /**
     * What all workers serve on their bulk port.
     *
     * @param holder answers a request for a replica; called by any thread, may take its time
     */
    public static ServerServiceDefinition replicas(SpiffeId me, UnaryOperator<byte[]> holder) {
        return ServerInterceptors.intercept(
                ServerServiceDefinition.builder(Methods.REPLICAS)
                        .addMethod(
                                Methods.ASK_HOLDER,
                                ServerCalls.asyncBidiStreamingCall(to -> new ReplicaCall(holder, to)))
                        .build(),
                new CallAuthorizer(me));
    }

    /** Completes when gRPC has sent the answer, or when the caller has given up. */
    private static CompletableFuture<Void> answered(StreamObserver<?> to) {
        ServerCallStreamObserver<?> call = (ServerCallStreamObserver<?>) to;
        CompletableFuture<Void> answered = new CompletableFuture<>();
        call.setOnCloseHandler(() -> answered.complete(null));
        call.setOnCancelHandler(() -> answered.complete(null));
        return answered;
    }

    static <A> void answer(Supplier<CompletableFuture<A>> call, StreamObserver<A> to) {
        CompletableFuture<A> reply;
        try {
            reply = call.get();
        } catch (RuntimeException e) {
            reply = CompletableFuture.failedFuture(e);
        }
        var _ = reply.whenComplete((answer, failure) -> {
            if (failure == null) {
                to.onNext(answer);
                to.onCompleted();
            } else {
                to.onError(status(failure));
            }
        });
    }

    static StatusRuntimeException status(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        Status kind =
                switch (cause) {
                    case IllegalStateException refused -> Status.FAILED_PRECONDITION;
                    case TimeoutException late -> Status.DEADLINE_EXCEEDED;
                    case IOException broken -> Status.DATA_LOSS;
                    default -> Status.INTERNAL;
                };
        return kind.withDescription(String.valueOf(cause.getMessage())).asRuntimeException();
    }

    /** A call that sends its replies one after the other, and may block meanwhile. */
    private interface Streaming<A> {
        void send(Consumer<A> out) throws IOException;
    }

    private static <A> void stream(Streaming<A> call, StreamObserver<A> to) {
        ServerCallStreamObserver<A> out = (ServerCallStreamObserver<A>) to;
        Semaphore ready = new Semaphore(0);
        out.setOnReadyHandler(ready::release);
        out.setOnCancelHandler(ready::release);
        Thread.ofVirtual().name("stream").start(() -> {
            try {
                call.send(reply -> {
                    while (!out.isReady() && !out.isCancelled()) {
                        ready.acquireUninterruptibly();
                    }
                    if (out.isCancelled()) {
                        throw new IllegalStateException("the caller has canceled the call");
                    }
                    out.onNext(reply);
                });
                out.onCompleted();
            } catch (IOException | RuntimeException e) {
                if (!out.isCancelled()) {
                    out.onError(status(e));
                }
            }
        });
    }
}
