// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PodHttpTest {
    /** The kubelet waits 2 s for each probe (the operator's WorkerContainer). */
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);

    private final List<Socket> clients = new ArrayList<>();
    private final PodMetrics metrics = new PodMetrics();
    private volatile Optional<String> unready = Optional.empty();
    private PodHttp http;

    @BeforeEach
    void listen() throws IOException {
        http = new PodHttp(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), metrics, () -> unready);
    }

    @AfterEach
    void close() throws IOException {
        for (Socket client : clients) {
            client.close();
        }
        http.close();
    }

    @Test
    void aWorkerIsReadyOrSaysWhyNot() throws IOException {
        assertTrue(get("/healthz").startsWith("HTTP/1.1 200 OK\r\n"));
        assertTrue(get("/readyz").startsWith("HTTP/1.1 200 OK\r\n"));
        unready = Optional.of("the worker is starting");
        String reply = get("/readyz");
        assertTrue(reply.startsWith("HTTP/1.1 503 "), reply);
        assertTrue(reply.endsWith("\r\n\r\nthe worker is starting\n"), reply);
    }

    @Test
    void metricsAreServedAndOtherPathsAreNot() throws IOException {
        assertTrue(get("/metrics?x=1").contains("\nvolary_replacements_total"));
        assertTrue(get("/other").startsWith("HTTP/1.1 404 "));
    }

    @Test
    void probesAreAnsweredWhileTwoHundredClientsHaveSentHalfARequest() throws IOException {
        for (int i = 0; i < 200; i++) {
            send("GET /healthz HTTP/1.1\r\nHost:");
        }
        assertProbes();
    }

    @Test
    void probesAreAnsweredWhileThousandsOfClientsSendNothing() throws IOException {
        for (int i = 0; i < 3000; i++) {
            send("");
        }
        assertProbes();
        await().until(() -> closed() >= 3000 - PodHttp.CONNECTIONS);
    }

    @Test
    void probesAreAnsweredWhileClientsDoNotReadTheirPages() throws IOException {
        for (int i = 0; i < 200; i++) {
            send("GET /metrics HTTP/1.1\r\n\r\n".repeat(200));
        }
        assertProbes();
    }

    @Test
    void aRequestSentByteByByteIsClosedAfterSeconds() throws IOException {
        long begun = System.nanoTime();
        Socket client = send("GET /healthz HTTP/1.1\r\nX: ");
        await().pollInterval(Duration.ofMillis(100)).until(() -> {
            try {
                client.getOutputStream().write('x');
                return isClosed(client);
            } catch (SocketException broken) {
                return true;
            }
        });
        Duration lived = Duration.ofNanos(System.nanoTime() - begun);
        assertTrue(lived.compareTo(PodHttp.PATIENCE.minusMillis(100)) > 0, lived.toString());
    }

    @Test
    void closingHalfARequestLogsNoError() throws IOException {
        PrintStream before = System.err;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setErr(new PrintStream(output, true, StandardCharsets.UTF_8));
        try {
            send("GET /healthz HTTP/1.1\r\nHost: pod\r\n").close();
            Socket later = send("GET /healthz HTTP/1.1\r\nHost: pod\r\n");
            await().until(() -> isClosed(later));
        } finally {
            System.setErr(before);
        }
        assertEquals("", output.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aRequestThatIsNotHttpIsRefused() throws IOException {
        Socket client = send("\u0001\u0002\r\n\r\n");
        assertTrue(read(client).startsWith("HTTP/1.1 400 "));
    }

    @Test
    void anEndlessHeaderIsRefused() throws IOException {
        Socket client = send("GET /healthz HTTP/1.1\r\nX: " + "x".repeat(20_000));
        assertTrue(read(client).startsWith("HTTP/1.1 400 "));
    }

    private void assertProbes() throws IOException {
        for (String path : List.of("/healthz", "/readyz")) {
            long begun = System.nanoTime();
            String reply = get(path);
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            assertTrue(reply.startsWith("HTTP/1.1 200 OK\r\n"), reply);
            assertFalse(took.compareTo(PROBE_TIMEOUT) > 0, path + " took " + took);
        }
    }

    private String get(String path) throws IOException {
        String reply = read(send("GET " + path + " HTTP/1.1\r\nHost: pod\r\n\r\n"));
        assertEquals(1, reply.split("HTTP/1.1 ", -1).length - 1, reply);
        return reply;
    }

    private static String read(Socket client) throws IOException {
        client.setSoTimeout(30_000);
        return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private Socket send(String text) throws IOException {
        Socket client = new Socket(http.address().getAddress(), http.address().getPort());
        clients.add(client);
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    private long closed() {
        return clients.stream().filter(PodHttpTest::isClosed).count();
    }

    /** Whether the other side has closed it. */
    private static boolean isClosed(Socket client) {
        try {
            client.setSoTimeout(1);
            InputStream in = client.getInputStream();
            return in.read() < 0;
        } catch (java.net.SocketTimeoutException nothingYet) {
            return false;
        } catch (IOException broken) {
            return true;
        }
    }
}
