// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import dev.volary.protocol.model.Address;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One connection to a worker, and blocking calls over it. */
record Call(Address address, ManagedChannel channel) implements AutoCloseable {
    /** For calls that are answered at once; a worker may be busy for a moment. */
    static final Duration SHORT = Duration.ofSeconds(5);

    /**
     * The channel, for a call. If it waits to connect again, it tries now: gRPC would wait for up to two minutes, and callers
     * pace their attempts themselves.
     */
    ManagedChannel connecting() {
        channel.resetConnectBackoff();
        return channel;
    }

    <Q, A> A ask(MethodDescriptor<Q, A> method, Q question, Duration timeout) throws IOException {
        try {
            return ClientCalls.blockingUnaryCall(connecting(), method, options(timeout), question);
        } catch (StatusRuntimeException e) {
            throw failure(e.getStatus(), e);
        }
    }

    static CallOptions options(Duration timeout) {
        return CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    IOException failure(StatusException e) {
        return failure(e.getStatus(), e);
    }

    private IOException failure(Status status, Exception e) {
        String reason = status.getDescription() == null ? status.getCode().toString() : status.getDescription();
        Optional<String> mistrust = mistrust(e);
        if (mistrust.isPresent()) {
            return new IOException(address + " is not trusted: " + mistrust.get(), e);
        }
        return switch (status.getCode()) {
            case FAILED_PRECONDITION, PERMISSION_DENIED -> new RefusedException(reason, e);
            case DATA_LOSS -> new RemoteFailureException(reason, e);
            case UNAVAILABLE, DEADLINE_EXCEEDED -> new IOException(address + " does not answer: " + reason, e);
            default -> new IOException(address + " failed: " + reason, e);
        };
    }

    /** Why the certificate of the other side was refused here, if it was. */
    private static Optional<String> mistrust(Throwable failure) {
        @Nullable Throwable cause = failure;
        while (cause != null && !(cause instanceof CertificateException)) {
            cause = cause.getCause();
        }
        return Optional.ofNullable(cause).map(Throwable::getMessage);
    }

    @Override
    public void close() {
        var _ = channel.shutdownNow();
    }
}
