package dev.volary.worker.pod;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Plain HTTP for the kubelet and Prometheus: {@code /healthz}, {@code /readyz}, {@code /metrics}. */
public final class PodHttp implements AutoCloseable {
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;

    /**
     * Listens.
     *
     * @param address to listen on
     * @param unready why this worker is not ready, if it is not; asked for each request
     * @throws IOException if the port is taken
     */
    public PodHttp(InetSocketAddress address, PodMetrics metrics, Supplier<Optional<String>> unready)
            throws IOException {
        server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("http").factory()));
        server.createContext("/healthz", exchange -> answer(exchange, 200, TEXT, bytes("ok\n")));
        server.createContext("/readyz", exchange -> {
            Optional<String> reason = unready.get();
            answer(exchange, reason.isEmpty() ? 200 : 503, TEXT, bytes(reason.orElse("ok") + "\n"));
        });
        server.createContext("/metrics", exchange -> {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            metrics.write(body);
            answer(exchange, 200, PodMetrics.TYPE, body.toByteArray());
        });
        server.start();
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
