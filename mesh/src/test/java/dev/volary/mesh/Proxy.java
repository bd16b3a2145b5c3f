// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A TCP line that can be cut. */
final class Proxy implements AutoCloseable {
    private final ServerSocket listening;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    Proxy(int target) throws IOException {
        this.target = target;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Breaks all connections; later ones work again. Returns whether there were any. */
    boolean breakConnections() throws IOException {
        boolean any = !sockets.isEmpty();
        for (Socket socket : List.copyOf(sockets)) {
            sockets.remove(socket);
            socket.close();
        }
        return any;
    }

    private void accept() {
        try {
            while (true) {
                Socket here = listening.accept();
                Socket there = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(here);
                sockets.add(there);
                Thread.ofVirtual().start(() -> pump(here, there));
                Thread.ofVirtual().start(() -> pump(there, here));
            }
        } catch (IOException e) {
            return; // closed
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            return; // cut
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        breakConnections();
    }
}
