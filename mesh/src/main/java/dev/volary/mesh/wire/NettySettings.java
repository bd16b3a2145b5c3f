package dev.volary.mesh.wire;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps Netty from unpacking native libraries: a process that is killed between unpacking and loading would leave them in the
 * folder for temporary files (docs/decisions/0005-tls-provider.md).
 */
final class NettySettings {
    private static final String PREFIX = "io.grpc.netty.shaded.io.netty.";

    /** Broken connections are everyday; the mesh tells its listener, gRPC need not print stack traces. */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    private NettySettings() {}

    /** To be called before any class of Netty is loaded; settings from the command line win. */
    static void apply() {
        setDefault("transport.noNative", "true");
        setDefault("handler.ssl.noOpenSsl", "true");
        if (System.getProperty("java.util.logging.config.file") == null) {
            GRPC.setLevel(Level.SEVERE);
        }
    }

    private static void setDefault(String name, String value) {
        if (System.getProperty(PREFIX + name) == null) {
            System.setProperty(PREFIX + name, value);
        }
    }
}
