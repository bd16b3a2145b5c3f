// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.SpiffeId;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Who may ask what: only workers and the operator of the same job, and only what their role needs. */
final class CallAuthorizer implements ServerInterceptor {
    private static final Map<String, Set<String>> ROLES = Map.ofEntries(
            Map.entry(Methods.STATUS.getFullMethodName(), Set.of(SpiffeId.OPERATOR, SpiffeId.SPAWNER)),
            Map.entry(Methods.HINT.getFullMethodName(), Set.of(SpiffeId.OPERATOR, SpiffeId.SPAWNER)),
            Map.entry(Methods.CHECKPOINT.getFullMethodName(), Set.of(SpiffeId.OPERATOR)),
            Map.entry(Methods.FETCH.getFullMethodName(), Set.of(SpiffeId.OPERATOR, SpiffeId.SPAWNER)),
            Map.entry(Methods.ACKNOWLEDGE.getFullMethodName(), Set.of(SpiffeId.OPERATOR, SpiffeId.SPAWNER)),
            Map.entry(Methods.KILL.getFullMethodName(), Set.of(SpiffeId.OPERATOR)),
            Map.entry(
                    Methods.INTRODUCE.getFullMethodName(),
                    Set.of(SpiffeId.OPERATOR, SpiffeId.SPAWNER, SpiffeId.DAEMON)),
            Map.entry(Methods.DELIVER.getFullMethodName(), Set.of(SpiffeId.DAEMON)),
            Map.entry(Methods.READ_PART.getFullMethodName(), Set.of(SpiffeId.SPAWNER, SpiffeId.DAEMON)),
            Map.entry(Methods.FORGET_PARTS.getFullMethodName(), Set.of(SpiffeId.SPAWNER)),
            Map.entry(Methods.HOLD_PARTS.getFullMethodName(), Set.of(SpiffeId.SPAWNER)),
            Map.entry(Methods.KEEP_RESULT.getFullMethodName(), Set.of(SpiffeId.SPAWNER)),
            Map.entry(Methods.HALT.getFullMethodName(), Set.of(SpiffeId.SPAWNER)),
            Map.entry(Methods.LEAVE.getFullMethodName(), Set.of(SpiffeId.SPAWNER)),
            Map.entry(Methods.ASK_HOLDER.getFullMethodName(), Set.of(SpiffeId.SPAWNER, SpiffeId.DAEMON)));

    private final SpiffeId me;

    CallAuthorizer(SpiffeId me) {
        this.me = me;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String method = call.getMethodDescriptor().getFullMethodName();
        Optional<SpiffeId> caller = caller(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
        Optional<String> refusal = refusal(method, caller);
        if (refusal.isPresent()) {
            call.close(Status.PERMISSION_DENIED.withDescription(refusal.get()), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        return next.startCall(call, headers);
    }

    /** Why a caller may not call a method, if so. */
    Optional<String> refusal(String method, Optional<SpiffeId> caller) {
        if (caller.isEmpty()) {
            return Optional.of("the caller has proven no identity");
        }
        if (!caller.get().sameJob(me)) {
            return Optional.of("identity " + caller.get() + " belongs to another job than " + me);
        }
        Set<String> roles = ROLES.getOrDefault(method, Set.of());
        return roles.contains(caller.get().role())
                ? Optional.empty()
                : Optional.of(
                        method + " is for the roles " + roles.stream().sorted().toList() + ", not for " + caller.get());
    }

    private static Optional<SpiffeId> caller(@Nullable SSLSession session) {
        if (session == null) {
            return Optional.empty();
        }
        try {
            Certificate[] chain = session.getPeerCertificates();
            return chain.length > 0 && chain[0] instanceof X509Certificate leaf
                    ? Optional.of(Identity.idOf(leaf))
                    : Optional.empty();
        } catch (SSLPeerUnverifiedException | CertificateException e) {
            return Optional.empty();
        }
    }
}
