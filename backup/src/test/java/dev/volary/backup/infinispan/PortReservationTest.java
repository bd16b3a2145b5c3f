// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** Two members that choose at the same time once could get the same port, and the second never joined. */
class PortReservationTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    private static ServerSocket listen(InetSocketAddress place) throws IOException {
        return new ServerSocket(place.getPort(), 1, place.getAddress());
    }

    @Test
    void aReservedPortCannotBeBoundAgain() throws Exception {
        InetSocketAddress place = PortReservation.reserve(HERE);
        assertThrows(BindException.class, () -> listen(place).close());
        PortReservation.release(place);
        try (ServerSocket listening = listen(place)) {
            assertTrue(listening.isBound());
        }
    }

    @Test
    void aReservedPortRefusesConnections() throws Exception {
        InetSocketAddress place = PortReservation.reserve(HERE);
        try {
            assertThrows(ConnectException.class, () -> new Socket(HERE, place.getPort()).close());
        } finally {
            PortReservation.release(place);
        }
    }
}
