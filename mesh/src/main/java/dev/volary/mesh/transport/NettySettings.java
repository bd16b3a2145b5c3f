// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps Netty from unpacking native libraries: a process that is killed between unpacking and loading would leave them in the
 * folder for temporary files (docs/decisions/0005-tls-provider.md). Workers find OpenSSL's unpacked already, and their command lines
 * allow it. Skips what would delay a small job: Netty's events for
 * the flight recorder, and reading the public authorities, of which Netty makes nothing.
 */
public final class NettySettings {
    private static final String PREFIX = "io.grpc.netty.shaded.io.netty.";
    private static final String TRUST_STORE = "javax.net.ssl.trustStore";

    /** Broken connections are everyday; the mesh reports them to its listener, gRPC need not print stack traces. */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    private NettySettings() {}

    /** To be called before any class of Netty is loaded; settings from the command line win. */
    public static void apply() {
        setDefault("transport.noNative", "true");
        setDefault("handler.ssl.noOpenSsl", "true");
        setDefault("jfr.enabled", "false");
        if (System.getProperty("java.util.logging.config.file") == null) {
            GRPC.setLevel(Level.SEVERE);
        }
    }

    /** Makes a TLS context of Netty's; the first one looks into the JDK's default context for the names of ciphers. */
    static synchronized SslContext withoutPublicAuthorities(Supplier<SslContext> maker) {
        if (System.getProperty(TRUST_STORE) != null) {
            return maker.get();
        }
        System.setProperty(TRUST_STORE, "NONE");
        try {
            return maker.get();
        } finally {
            System.clearProperty(TRUST_STORE);
        }
    }

    private static void setDefault(String name, String value) {
        if (System.getProperty(PREFIX + name) == null) {
            System.setProperty(PREFIX + name, value);
        }
    }
}
