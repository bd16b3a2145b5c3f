// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.SpiffeId;
import dev.volary.mesh.v1.Hello;
import dev.volary.mesh.v1.Role;
import io.grpc.Metadata;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** What both sides of a stream exchange first, and why one may refuse the other. */
final class Handshake {
    private static final Metadata.Key<byte[]> KEY =
            Metadata.Key.of("volary-hello-bin", Metadata.BINARY_BYTE_MARSHALLER);

    private Handshake() {}

    /** As metadata of a call. */
    static Metadata write(Hello hello) {
        Metadata metadata = new Metadata();
        metadata.put(KEY, hello.toByteArray());
        return metadata;
    }

    /** From metadata of a call; empty if there is none. */
    static Optional<Hello> read(Metadata metadata) {
        byte[] bytes = metadata.get(KEY);
        if (bytes == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Hello.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }

    /** The identity proven by the other side of a TLS session; empty if there is none. */
    static Optional<SpiffeId> peer(@Nullable SSLSession session) {
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

    /**
     * Why {@code mine} does not talk to {@code theirs}: names what differs and both values.
     *
     * @param me own identity
     * @param peer identity proven by the other side
     */
    static Optional<String> refusal(Hello mine, SpiffeId me, Hello theirs, SpiffeId peer) {
        if (!peer.sameJob(me)) {
            return Optional.of("identity " + peer + " belongs to another job than " + me);
        }
        if (theirs.getProtocolVersion() != mine.getProtocolVersion()) {
            return Optional.of(
                    differs("protocol version", theirs.getProtocolVersion(), mine.getProtocolVersion(), peer, me));
        }
        String theirJob = theirs.getNamespace() + "/" + theirs.getJob();
        String myJob = mine.getNamespace() + "/" + mine.getJob();
        if (!theirJob.equals(myJob)) {
            return Optional.of(differs("job", theirJob, myJob, peer, me));
        }
        if (theirs.getProblemHash() != mine.getProblemHash()) {
            return Optional.of(differs(
                    "problem hash",
                    Long.toHexString(theirs.getProblemHash()),
                    Long.toHexString(mine.getProblemHash()),
                    peer,
                    me));
        }
        if (!theirs.getMember().getName().equals(peer.name())) {
            return Optional.of("name is " + theirs.getMember().getName() + " but the identity proven is " + peer);
        }
        if (!label(theirs.getMember().getRole()).equals(peer.role())) {
            return Optional.of(
                    "role is " + label(theirs.getMember().getRole()) + " but the identity proven is " + peer);
        }
        if (theirs.getExpected() != 0
                && theirs.getExpected() != mine.getMember().getId()) {
            return Optional.of(peer + " looks for node " + Long.toHexString(theirs.getExpected()) + " but this is " + me
                    + ", node " + Long.toHexString(mine.getMember().getId()) + ": it has restarted or moved");
        }
        return Optional.empty();
    }

    /** How certificates name a role; no certificate names an unspecified one. */
    private static String label(Role role) {
        return switch (role) {
            case ROLE_DAEMON -> SpiffeId.DAEMON;
            case ROLE_SPAWNER -> SpiffeId.SPAWNER;
            case ROLE_UNSPECIFIED, UNRECOGNIZED -> "unspecified";
        };
    }

    private static String differs(String field, Object theirs, Object mine, SpiffeId peer, SpiffeId me) {
        return field + " of " + peer + " is " + theirs + ", of " + me + " is " + mine;
    }
}
