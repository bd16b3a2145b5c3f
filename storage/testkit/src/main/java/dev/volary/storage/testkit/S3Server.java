// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/**
 * A process that serves the S3 API, moto's server, with one bucket. It takes any credentials. It is a Python package: the
 * environment variable {@code VOLARY_PYTHON} names the interpreter that has it, and tests are skipped without it.
 */
public final class S3Server implements AutoCloseable {
    /** The bucket that exists. */
    public static final String BUCKET = "results";

    private static final Duration START = Duration.ofSeconds(60);

    private final Process process;
    private final URI endpoint;
    private final HttpClient http = HttpClient.newHttpClient();

    private S3Server(Process process, URI endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    /**
     * Starts a server on the loopback address.
     *
     * @param log where it writes its log
     */
    public static S3Server start(Path log) throws IOException, InterruptedException {
        return start(InetAddress.getLoopbackAddress(), log);
    }

    /**
     * Starts a server.
     *
     * @param address that it listens on
     * @param log where it writes its log
     */
    public static S3Server start(InetAddress address, Path log) throws IOException, InterruptedException {
        String python = python().orElse("");
        Assumptions.assumeFalse(python.isEmpty(), "VOLARY_PYTHON names no python with moto");
        int port = freePort(address);
        Process process = new ProcessBuilder(
                        python, "-m", "moto.server", "-H", address.getHostAddress(), "-p", Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        S3Server server = new S3Server(process, URI.create("http://" + address.getHostAddress() + ":" + port));
        try {
            server.awaitStart(log);
            server.createBucket();
            return server;
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** The interpreter that has the server, if there is one. */
    public static Optional<String> python() {
        return Optional.ofNullable(System.getenv("VOLARY_PYTHON"));
    }

    private static int freePort(InetAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
    }

    private void awaitStart(Path log) throws IOException, InterruptedException {
        long until = System.nanoTime() + START.toNanos();
        while (true) {
            try {
                http.send(HttpRequest.newBuilder(endpoint).build(), HttpResponse.BodyHandlers.discarding());
                return;
            } catch (ConnectException notYet) {
                if (!process.isAlive() || System.nanoTime() > until) {
                    throw new IOException("the S3 server does not start: " + Files.readString(log), notYet);
                }
                Thread.sleep(Duration.ofMillis(50));
            }
        }
    }

    private void createBucket() throws IOException, InterruptedException {
        // moto reads the region from the credentials' scope and does not check the signature.
        HttpRequest request = HttpRequest.newBuilder(endpoint.resolve("/" + BUCKET))
                .header(
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host,"
                                + " Signature=0")
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("the S3 server refuses the bucket: " + answer.body());
        }
    }

    /** Address of the server. */
    public URI endpoint() {
        return endpoint;
    }

    /** Suspends the process: requests stand still, connections stay. */
    public void pause() {
        signal("STOP");
    }

    /** Lets a suspended process go on. */
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IllegalStateException("kill -" + name + " ended with status " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
