// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/** A TCP line to a server that breaks after a number of bytes from the server, as a forwarded port does. */
final class LimitedLine implements AutoCloseable {
    private final ServerSocket listening;
    private final int target;
    private final long limit;
    private final AtomicLong forwarded = new AtomicLong();

    LimitedLine(int target, long limit) throws IOException {
        this.target = target;
        this.limit = limit;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Bytes that the client was sent. */
    long forwarded() {
        return forwarded.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                Thread.ofVirtual().start(() -> forwardRequests(client, server));
                Thread.ofVirtual().start(() -> forwardReplies(server, client));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private static void forwardRequests(Socket client, Socket server) {
        try (client;
                server;
                InputStream in = client.getInputStream();
                OutputStream out = server.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException broken) {
            return;
        }
    }

    private void forwardReplies(Socket server, Socket client) {
        try (client;
                server;
                InputStream in = server.getInputStream();
                OutputStream out = client.getOutputStream()) {
            byte[] buffer = new byte[8192];
            while (forwarded.get() < limit) {
                int read = in.read(buffer, 0, (int) Math.min(buffer.length, limit - forwarded.get()));
                if (read < 0) {
                    return;
                }
                out.write(buffer, 0, read);
                forwarded.addAndGet(read);
            }
        } catch (IOException broken) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
