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
 * Ports between choosing them and listening there, which may be seconds later or never. Each is bound meanwhile, so that no
 * other member gets it, on this machine or in this process; it refuses connections.
 */
final class PortReservation {
    private static final int LOWEST_PORT = 20_000;
    private static final int HIGHEST_PORT = 32_768; // where Linux begins with those of connections
    private static final int ATTEMPTS = 100;
    private static final ConcurrentMap<InetSocketAddress, Socket> KEPT = new ConcurrentHashMap<>();

    private PortReservation() {}

    /**
     * Keeps a free port.
     *
     * @throws IOException if there is none
     */
    static InetSocketAddress keep(InetAddress address) throws IOException {
        for (int attempt = 1; ; attempt++) {
            InetSocketAddress place =
                    new InetSocketAddress(address, ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT));
            Socket keeping = new Socket();
            try {
                keeping.bind(place);
                KEPT.put(place, keeping);
                return place;
            } catch (BindException taken) {
                keeping.close();
                if (attempt == ATTEMPTS) {
                    throw taken;
                }
            }
        }
    }

    /** Whoever is to listen there does so now, or nobody will; nothing happens if it is not kept. */
    static void release(InetSocketAddress place) {
        Socket keeping = KEPT.remove(place);
        if (keeping != null) {
            try {
                keeping.close();
            } catch (IOException e) {
                throw new UncheckedIOException("port " + place.getPort() + " cannot be given back", e);
            }
        }
    }
}
