// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.volary.mesh.transport.ByteArrayMessage;
import dev.volary.mesh.v1.AcknowledgeReply;
import dev.volary.mesh.v1.AcknowledgeRequest;
import dev.volary.mesh.v1.CheckpointReply;
import dev.volary.mesh.v1.CheckpointRequest;
import dev.volary.mesh.v1.DeliverReply;
import dev.volary.mesh.v1.DeliverRequest;
import dev.volary.mesh.v1.FetchReply;
import dev.volary.mesh.v1.FetchRequest;
import dev.volary.mesh.v1.ForgetPartsReply;
import dev.volary.mesh.v1.ForgetPartsRequest;
import dev.volary.mesh.v1.HaltReply;
import dev.volary.mesh.v1.HaltRequest;
import dev.volary.mesh.v1.HintReply;
import dev.volary.mesh.v1.HintRequest;
import dev.volary.mesh.v1.HoldPartsReply;
import dev.volary.mesh.v1.HoldPartsRequest;
import dev.volary.mesh.v1.IntroduceReply;
import dev.volary.mesh.v1.IntroduceRequest;
import dev.volary.mesh.v1.KeepResultReply;
import dev.volary.mesh.v1.KeepResultRequest;
import dev.volary.mesh.v1.KillReply;
import dev.volary.mesh.v1.KillRequest;
import dev.volary.mesh.v1.LeaveReply;
import dev.volary.mesh.v1.LeaveRequest;
import dev.volary.mesh.v1.ReadPartReply;
import dev.volary.mesh.v1.ReadPartRequest;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.StatusRequest;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;

/** The methods of {@code cluster.proto}. */
final class Methods {
    static final String SPAWNER = "volary.mesh.v1.Spawner";
    static final String WORKER = "volary.mesh.v1.Worker";
    static final String REPLICAS = "volary.mesh.v1.Replicas";

    static final MethodDescriptor<StatusRequest, StatusReply> STATUS =
            unary(SPAWNER, "Status", StatusRequest.parser(), StatusReply.parser());
    static final MethodDescriptor<HintRequest, HintReply> HINT =
            unary(SPAWNER, "Hint", HintRequest.parser(), HintReply.parser());
    static final MethodDescriptor<CheckpointRequest, CheckpointReply> CHECKPOINT =
            unary(SPAWNER, "Checkpoint", CheckpointRequest.parser(), CheckpointReply.parser());
    static final MethodDescriptor<FetchRequest, FetchReply> FETCH =
            method(MethodType.SERVER_STREAMING, SPAWNER, "Fetch", FetchRequest.parser(), FetchReply.parser());
    static final MethodDescriptor<AcknowledgeRequest, AcknowledgeReply> ACKNOWLEDGE =
            unary(SPAWNER, "Acknowledge", AcknowledgeRequest.parser(), AcknowledgeReply.parser());
    static final MethodDescriptor<KillRequest, KillReply> KILL =
            unary(SPAWNER, "Kill", KillRequest.parser(), KillReply.parser());
    static final MethodDescriptor<IntroduceRequest, IntroduceReply> INTRODUCE =
            unary(SPAWNER, "Introduce", IntroduceRequest.parser(), IntroduceReply.parser());
    static final MethodDescriptor<DeliverRequest, DeliverReply> DELIVER =
            method(MethodType.BIDI_STREAMING, SPAWNER, "Deliver", DeliverRequest.parser(), DeliverReply.parser());
    static final MethodDescriptor<ReadPartRequest, ReadPartReply> READ_PART =
            method(MethodType.SERVER_STREAMING, SPAWNER, "ReadPart", ReadPartRequest.parser(), ReadPartReply.parser());
    static final MethodDescriptor<ForgetPartsRequest, ForgetPartsReply> FORGET_PARTS =
            unary(SPAWNER, "ForgetParts", ForgetPartsRequest.parser(), ForgetPartsReply.parser());
    static final MethodDescriptor<HoldPartsRequest, HoldPartsReply> HOLD_PARTS = method(
            MethodType.SERVER_STREAMING, SPAWNER, "HoldParts", HoldPartsRequest.parser(), HoldPartsReply.parser());
    static final MethodDescriptor<KeepResultRequest, KeepResultReply> KEEP_RESULT = method(
            MethodType.SERVER_STREAMING, SPAWNER, "KeepResult", KeepResultRequest.parser(), KeepResultReply.parser());
    static final MethodDescriptor<HaltRequest, HaltReply> HALT =
            unary(WORKER, "Halt", HaltRequest.parser(), HaltReply.parser());
    static final MethodDescriptor<LeaveRequest, LeaveReply> LEAVE =
            unary(WORKER, "Leave", LeaveRequest.parser(), LeaveReply.parser());
    /** Of {@code ReplicaPiece}s, which {@link PieceSender} and {@link PieceReceiver} write and read themselves. */
    static final MethodDescriptor<InputStream, InputStream> ASK_HOLDER =
            MethodDescriptor.<InputStream, InputStream>newBuilder()
                    .setType(MethodType.BIDI_STREAMING)
                    .setFullMethodName(MethodDescriptor.generateFullMethodName(REPLICAS, "Ask"))
                    .setRequestMarshaller(ByteArrayMessage.MARSHALLER)
                    .setResponseMarshaller(ByteArrayMessage.MARSHALLER)
                    .build();

    private Methods() {}

    private static <Q extends MessageLite, A extends MessageLite> MethodDescriptor<Q, A> unary(
            String service, String call, Parser<Q> question, Parser<A> answer) {
        return method(MethodType.UNARY, service, call, question, answer);
    }

    private static <Q extends MessageLite, A extends MessageLite> MethodDescriptor<Q, A> method(
            MethodType type, String service, String call, Parser<Q> question, Parser<A> answer) {
        return MethodDescriptor.<Q, A>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service, call))
                .setRequestMarshaller(new Protobuf<>(question))
                .setResponseMarshaller(new Protobuf<>(answer))
                .build();
    }

    /** Messages as they are on the wire. */
    private record Protobuf<M extends MessageLite>(Parser<M> parser) implements MethodDescriptor.Marshaller<M> {
        @Override
        public InputStream stream(M message) {
            return new OutgoingMessage(message.getSerializedSize(), message::writeTo);
        }

        @Override
        public M parse(InputStream bytes) {
            try (bytes) {
                return parser.parseFrom(bytes, ExtensionRegistryLite.getEmptyRegistry());
            } catch (InvalidProtocolBufferException e) {
                throw Status.INTERNAL
                        .withDescription("a message cannot be read: " + e.getMessage() + "; use matching versions")
                        .withCause(e)
                        .asRuntimeException();
            } catch (IOException e) {
                throw Status.INTERNAL
                        .withDescription("a message broke off")
                        .withCause(e)
                        .asRuntimeException();
            }
        }
    }
}
