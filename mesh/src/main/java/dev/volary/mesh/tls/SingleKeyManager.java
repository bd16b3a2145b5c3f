// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The key manager of a process that has one identity at a time. The JDK's own take keys from a key store, which encrypts them with
 * a password first and decrypts them again: ten thousand iterations of a hash, each time. A handshake asks for certificate and key
 * one after the other by the alias that it chose before, so an alias stands for one certificate.
 */
public final class SingleKeyManager extends X509ExtendedKeyManager {
    private final IdentitySource source;
    /** The identity that was chosen last, and the one before it, with which handshakes may have begun. */
    private Identity newest;

    private Identity former;

    /** Of the identity that the source has at each handshake. */
    public SingleKeyManager(IdentitySource source) {
        this.source = source;
        this.newest = source.current();
        this.former = newest;
    }

    private synchronized @Nullable String alias(String... keyTypes) {
        Identity now = source.current();
        if (!now.equals(newest)) {
            former = newest;
            newest = now;
        }
        return Arrays.asList(keyTypes).contains(now.key().getAlgorithm()) ? alias(now) : null;
    }

    private static String alias(Identity identity) {
        return identity.chain().getFirst().getSerialNumber().toString(Character.MAX_RADIX);
    }

    private synchronized @Nullable Identity of(String alias) {
        return alias.equals(alias(newest)) ? newest : alias.equals(alias(former)) ? former : null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        String alias = alias(keyType);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return getClientAliases(keyType, issuers);
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(keyTypes);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(keyTypes);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(keyType);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(keyType);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Identity identity = of(alias);
        return identity == null ? null : identity.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Identity identity = of(alias);
        return identity == null ? null : identity.key();
    }
}
