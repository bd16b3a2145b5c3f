// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Reserves ports from their choice until a server binds them, which may be seconds later or never. Each is bound meanwhile, so that no
 * other member gets it, on this machine or in this process; it refuses connections.
 */
final class PortReservation {
    private static final int LOWEST_PORT = 20_000;
    private static final int HIGHEST_PORT = 32_768; // where Linux begins with those of connections
    private static final int ATTEMPTS = 100;
    private static final ConcurrentMap<InetSocketAddress, Socket> RESERVED = new ConcurrentHashMap<>();

    private PortReservation() {}

    /**
     * Reserves a free port.
     *
     * @throws IOException if there is none
     */
    static InetSocketAddress reserve(InetAddress address) throws IOException {
        for (int attempt = 1; ; attempt++) {
            InetSocketAddress reserved =
                    new InetSocketAddress(address, ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT));
            Socket socket = new Socket();
            try {
                socket.bind(reserved);
                RESERVED.put(reserved, socket);
                return reserved;
            } catch (BindException taken) {
                socket.close();
                if (attempt == ATTEMPTS) {
                    throw taken;
                }
            }
        }
    }

    /** Releases a port, for its server to bind it. Nothing happens if the port is not reserved. */
    static void release(InetSocketAddress reserved) {
        Socket socket = RESERVED.remove(reserved);
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException("port " + reserved.getPort() + " cannot be given back", e);
            }
        }
    }
}
