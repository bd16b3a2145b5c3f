package dev.volary.mesh.wire;

/**
 * Keeps Netty from unpacking native libraries: a process that is killed between unpacking and loading would leave them in the
 * folder for temporary files (docs/decisions/0005-tls-provider.md).
 */
final class NettySettings {
    private static final String PREFIX = "io.grpc.netty.shaded.io.netty.";

    private NettySettings() {}

    /** To be called before any class of Netty is loaded; settings from the command line win. */
    static void apply() {
        setDefault("transport.noNative", "true");
        setDefault("handler.ssl.noOpenSsl", "true");
    }

    private static void setDefault(String name, String value) {
        if (System.getProperty(PREFIX + name) == null) {
            System.setProperty(PREFIX + name, value);
        }
    }
}
