// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;

/** One request to a holder. The event loop calls its methods; it is answered on a thread of its own. */
final class ReplicaCall implements StreamObserver<InputStream> {
    private final UnaryOperator<byte[]> holder;
    private final ServerCallStreamObserver<InputStream> to;
    private final PieceSender reply;
    private final PieceReceiver request = new PieceReceiver();
    private boolean isOver;

    ReplicaCall(UnaryOperator<byte[]> holder, StreamObserver<InputStream> to) {
        this.holder = holder;
        this.to = (ServerCallStreamObserver<InputStream>) to;
        this.reply = new PieceSender(this.to);
        this.to.setOnReadyHandler(reply::proceed);
        this.to.setOnCancelHandler(() -> {}); // what is sent to a caller that has gone is dropped
    }

    @Override
    public void onNext(InputStream piece) {
        if (!isOver) {
            try {
                request.append(piece);
            } catch (IllegalStateException | OutOfMemoryError e) {
                refuse(e);
            }
        }
    }

    @Override
    public void onError(Throwable canceled) {
        isOver = true;
    }

    @Override
    public void onCompleted() {
        if (!isOver) {
            isOver = true;
            Thread.ofVirtual().name("replica").start(this::answer);
        }
    }

    private void answer() {
        try {
            reply.send(ByteBuffer.wrap(holder.apply(request.whole())));
        } catch (RuntimeException e) {
            refuse(e);
        }
    }

    private void refuse(Throwable reason) {
        isOver = true;
        to.onError(SpawnerGrpcService.status(reason));
    }
}
