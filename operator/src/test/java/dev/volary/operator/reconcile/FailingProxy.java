// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Stands between operators and a real API server, and makes requests fail as a test wants. Speaks plain HTTP/1.1 with operators and
 * TLS with the API server, one connection there for each here; passes watches on as they come, over HTTP or a WebSocket.
 */
final class FailingProxy implements AutoCloseable {
    /** What happens to a request. */
    enum Fault {
        BAD_REQUEST(400, "BadRequest"),
        FORBIDDEN(403, "Forbidden"),
        NOT_FOUND(404, "NotFound"),
        CONFLICT(409, "Conflict"),
        GONE(410, "Expired"),
        INVALID(422, "Invalid"),
        TOO_MANY(429, "TooManyRequests"),
        ERROR(500, "InternalError"),
        UNAVAILABLE(503, "ServiceUnavailable"),
        /** No answer; the client must give up. */
        TIMEOUT(0, ""),
        /** The API server executes the request, then the connection is reset in place of the answer. */
        LOST_ANSWER(0, ""),
        /** The connection of a watch is reset in the middle of an event. */
        CUT(0, ""),
        /** The watch begins, and then says that its version is too old: the client must list the objects again. */
        EXPIRED(0, "");

        private final int code;
        private final String reason;

        Fault(int code, String reason) {
            this.code = code;
            this.reason = reason;
        }

        /** Whether it can happen to an operation. */
        boolean concerns(Operation operation) {
            boolean isWatch = operation.verb().equals("watch");
            return switch (this) {
                case CUT, EXPIRED -> isWatch;
                case LOST_ANSWER -> !isWatch;
                case BAD_REQUEST,
                        FORBIDDEN,
                        NOT_FOUND,
                        CONFLICT,
                        GONE,
                        INVALID,
                        TOO_MANY,
                        ERROR,
                        UNAVAILABLE,
                        TIMEOUT -> true;
            };
        }

        /** The message of the proxy's answer. It differs in more than a number, since conditions ignore numbers. */
        String message() {
            return "a failpoint answers " + reason;
        }

        /** The status code that the proxy answers; 0 if it does not answer. */
        int code() {
            return code;
        }
    }

    /**
     * A kind of request.
     *
     * @param verb as in the rules of a Role: get, list, watch, create, update, patch, delete
     * @param resource in the plural, with its subresource
     */
    record Operation(String verb, String resource) implements Comparable<Operation> {
        @Override
        public int compareTo(Operation other) {
            return toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return verb + " " + resource;
        }
    }

    /** Makes the requests of one kind in one namespace fail, from the {@code skipped + 1}st on, {@code times} times. */
    static final class Failpoint {
        private final String namespace;
        private final Operation operation;
        private final Fault fault;
        private final AtomicInteger skipped;
        private final AtomicInteger left;
        private final AtomicInteger hits = new AtomicInteger();

        Failpoint(String namespace, Operation operation, Fault fault, int skipped, int times) {
            this.namespace = namespace;
            this.operation = operation;
            this.fault = fault;
            this.skipped = new AtomicInteger(skipped);
            this.left = new AtomicInteger(times);
        }

        /** Number of requests that failed so far. */
        int hits() {
            return hits.get();
        }

        /** Lets all further requests pass. */
        void end() {
            left.set(0);
        }

        private boolean takes(String where, Operation what) {
            if (!namespace.equals(where) || !operation.equals(what)) {
                return false;
            }
            if (skipped.getAndUpdate(n -> Math.max(0, n - 1)) > 0 || left.getAndUpdate(n -> Math.max(0, n - 1)) <= 0) {
                return false;
            }
            hits.incrementAndGet();
            return true;
        }
    }

    private static final String LINE = "\r\n";

    private final Set<Failpoint> failpoints = ConcurrentHashMap.newKeySet();
    private final Map<String, Map<Operation, Integer>> counts = new ConcurrentHashMap<>();
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final URI api;
    private final SSLContext tls;
    private final ServerSocket server;

    /** @param api access to the API server, with a client certificate */
    FailingProxy(Config api) throws IOException, GeneralSecurityException {
        this.api = URI.create(api.getMasterUrl());
        this.tls = SSLUtils.sslContext(api);
        this.server = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    /** Where operators connect to. */
    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/";
    }

    /** Makes requests fail from now on. */
    Failpoint add(Failpoint failpoint) {
        failpoints.add(failpoint);
        return failpoint;
    }

    /** Forgets the failpoints and counts of a namespace. */
    void forget(String namespace) {
        failpoints.removeIf(failpoint -> failpoint.namespace.equals(namespace));
        counts.remove(namespace);
    }

    /** Resets the connections of the watches of a resource, so that they are opened again. */
    void reset(String namespace, String resource) {
        Operation watch = new Operation("watch", resource);
        connections.stream()
                .filter(each -> each.namespace.equals(namespace) && watch.equals(each.operation))
                .forEach(Connection::reset);
    }

    /** Number of requests of each kind in a namespace so far. */
    Map<Operation, Integer> counts(String namespace) {
        return new TreeMap<>(counts.getOrDefault(namespace, Map.of()));
    }

    @Override
    public void close() throws IOException {
        server.close();
        connections.forEach(Connection::reset);
        threads.close();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Connection connection = new Connection(server.accept());
                connections.add(connection);
                threads.execute(connection::serve);
            } catch (IOException closed) {
                return;
            }
        }
    }

    private @Nullable Fault fault(String namespace, Operation operation) {
        counts.computeIfAbsent(namespace, key -> new ConcurrentHashMap<>()).merge(operation, 1, Integer::sum);
        return failpoints.stream()
                .filter(failpoint -> failpoint.takes(namespace, operation))
                .findFirst()
                .map(failpoint -> failpoint.fault)
                .orElse(null);
    }

    /** One connection of an operator, and its connection to the API server. */
    private final class Connection {
        private final Socket client;
        private @Nullable Socket upstream;
        private volatile String namespace = "";
        private volatile @Nullable Operation operation;
        /** Whether the next bytes from the API server are cut in the middle. */
        private boolean cuts;

        Connection(Socket client) {
            this.client = client;
        }

        void serve() {
            try (client) {
                InputStream in = new BufferedInputStream(client.getInputStream());
                OutputStream out = client.getOutputStream();
                boolean open = true;
                while (open) {
                    Head request = Head.read(in);
                    open = request != null && exchange(request, in, out);
                }
            } catch (IOException reset) {
                // one of the two has closed the connection: the other one is closed too
            } finally {
                connections.remove(this);
                closeUpstream();
            }
        }

        /** Whether the connection can be used again. */
        private boolean exchange(Head request, InputStream in, OutputStream out) throws IOException {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            request.copyBody(in, body, true);
            URI uri = URI.create(request.first.split(" ", 3)[1]);
            Operation what = classify(request.first.split(" ", 2)[0], uri);
            Fault fault = fault(namespace, what);
            operation = what;
            if (fault != null && fault.code > 0) {
                out.write(answer(fault));
                return true;
            }
            if (fault == Fault.TIMEOUT) {
                while (in.read() >= 0) {
                    // a client that gives up closes the connection
                }
                return false;
            }
            cuts = fault == Fault.CUT;
            Socket server = upstream();
            server.getOutputStream().write(request.bytes(api.getAuthority()));
            server.getOutputStream().write(body.toByteArray());
            InputStream answers = new BufferedInputStream(server.getInputStream());
            Head answer = Head.read(answers);
            if (answer == null) {
                return false;
            }
            if (fault == Fault.LOST_ANSWER) {
                answer.copyBody(answers, OutputStream.nullOutputStream(), false);
                reset();
                return false;
            }
            out.write(answer.bytes(null));
            if (answer.first.contains(" 101 ")) {
                if (fault == Fault.EXPIRED) {
                    out.write(expired());
                    out.flush();
                }
                threads.execute(() -> pump(in, server));
                OutputStream cut = new CuttingStream(out);
                answers.transferTo(cut);
                return false;
            }
            return answer.copyBody(answers, new CuttingStream(out), false);
        }

        private void pump(InputStream in, Socket server) {
            try {
                in.transferTo(server.getOutputStream());
            } catch (IOException closed) {
                // the other direction ends too
            } finally {
                closeUpstream();
            }
        }

        private Operation classify(String method, URI uri) {
            // /api/v1/namespaces/NS/RESOURCE[/NAME[/SUBRESOURCE]], or /apis/GROUP/VERSION/namespaces/…
            String[] parts = uri.getPath().substring(1).split("/", -1);
            int at = parts[0].equals("api") ? 2 : 3;
            boolean isNamespaced = parts.length > at + 2 && parts[at].equals("namespaces");
            namespace = isNamespaced ? parts[at + 1] : "";
            int resource = isNamespaced ? at + 2 : at;
            boolean isNamed = parts.length > resource + 1;
            String name = parts.length <= resource
                    ? uri.getPath()
                    : parts[resource] + (parts.length > resource + 2 ? "/" + parts[resource + 2] : "");
            String query = uri.getQuery() == null ? "" : uri.getQuery();
            String verb =
                    switch (method) {
                        case "GET" -> isNamed ? "get" : query.contains("watch=true") ? "watch" : "list";
                        case "POST" -> "create";
                        case "PUT" -> "update";
                        default -> method.toLowerCase(Locale.ROOT);
                    };
            // Fabric8 watches a single object as a list with a field selector, which counts as a watch too.
            return new Operation(verb, name);
        }

        private Socket upstream() throws IOException {
            Socket known = upstream;
            if (known != null) {
                return known;
            }
            Socket opened = tls.getSocketFactory().createSocket(api.getHost(), api.getPort());
            opened.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            upstream = opened;
            return opened;
        }

        void reset() {
            try {
                client.setSoLinger(true, 0);
                client.close();
            } catch (IOException closed) {
                // which is what was wanted
            }
            closeUpstream();
        }

        private void closeUpstream() {
            Socket server = upstream;
            try {
                if (server != null) {
                    server.close();
                }
                client.close();
            } catch (IOException closed) {
                // which is what was wanted
            }
        }

        /** Passes bytes on; if the connection is to be cut, only the first half of them, and then resets it. */
        private final class CuttingStream extends OutputStream {
            private final OutputStream out;

            CuttingStream(OutputStream out) {
                this.out = out;
            }

            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                out.write(bytes, from, cuts ? length / 2 : length);
                out.flush();
                if (cuts) {
                    reset();
                    throw new EOFException("the connection is cut");
                }
            }
        }
    }

    /** An event of a watch in a text frame of a WebSocket (RFC 6455, 5.2), with a length of two bytes. */
    private static byte[] expired() {
        byte[] event = """
                {"type": "ERROR", "object": {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                 "message": "a failpoint: too old resource version", "reason": "Expired", "code": 410}}""".getBytes(StandardCharsets.US_ASCII);
        byte[] frame = new byte[4 + event.length];
        frame[0] = (byte) 0x81;
        frame[1] = 126;
        frame[2] = (byte) (event.length >> 8);
        frame[3] = (byte) event.length;
        System.arraycopy(event, 0, frame, 4, event.length);
        return frame;
    }

    private static byte[] answer(Fault fault) {
        String body = """
                {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                 "message": "%s", "reason": "%s", "code": %d}""".formatted(fault.message(), fault.reason, fault.code);
        String head = "HTTP/1.1 " + fault.code + " " + fault.reason + LINE + "Content-Type: application/json" + LINE
                + (fault == Fault.TOO_MANY ? "Retry-After: 1" + LINE : "")
                + "Content-Length: " + body.length() + LINE + LINE;
        return (head + body).getBytes(StandardCharsets.US_ASCII);
    }

    /** First line and headers of a request or an answer. */
    private static final class Head {
        private final String first;
        private final List<String> lines;
        private final Map<String, String> headers = new HashMap<>();

        private Head(String text) {
            List<String> all = text.lines().toList();
            this.first = all.getFirst();
            this.lines = all.subList(1, all.size());
            for (String line : lines) {
                int colon = line.indexOf(':');
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).trim());
            }
        }

        /** Null at the end of the stream. */
        static @Nullable Head read(InputStream in) throws IOException {
            StringBuilder text = new StringBuilder();
            while (true) {
                String line = line(in);
                if (line == null || (line.isEmpty() && text.isEmpty())) {
                    return null;
                }
                if (line.isEmpty()) {
                    return new Head(text.toString());
                }
                text.append(line).append(LINE);
            }
        }

        /** @param host replaces the header of this name, if not null */
        byte[] bytes(@Nullable String host) {
            StringBuilder text = new StringBuilder(first).append(LINE);
            for (String line : lines) {
                boolean isHost = host != null && line.toLowerCase(Locale.ROOT).startsWith("host:");
                text.append(isHost ? "Host: " + host : line).append(LINE);
            }
            return text.append(LINE).toString().getBytes(StandardCharsets.ISO_8859_1);
        }

        /** Copies the body as it is framed; returns whether another message may follow it. */
        boolean copyBody(InputStream in, OutputStream out, boolean isRequest) throws IOException {
            String length = headers.get("content-length");
            if (length != null) {
                copy(in, out, Long.parseLong(length));
                return true;
            }
            if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
                copyChunks(in, out);
                return true;
            }
            if (isRequest || first.contains(" 204 ") || first.contains(" 304 ")) {
                return true;
            }
            in.transferTo(out);
            return false;
        }

        private static void copyChunks(InputStream in, OutputStream out) throws IOException {
            while (true) {
                String size = line(in);
                if (size == null) {
                    throw new EOFException("a chunk is missing");
                }
                ByteArrayOutputStream chunk = new ByteArrayOutputStream();
                chunk.write((size + LINE).getBytes(StandardCharsets.US_ASCII));
                long bytes = Long.parseLong(size.strip(), 16);
                copy(in, chunk, bytes + LINE.length());
                out.write(chunk.toByteArray());
                if (bytes == 0) {
                    return;
                }
            }
        }

        private static void copy(InputStream in, OutputStream out, long bytes) throws IOException {
            byte[] all = in.readNBytes((int) bytes);
            if (all.length < bytes) {
                throw new EOFException("the body ends early");
            }
            out.write(all);
        }

        private static @Nullable String line(InputStream in) throws IOException {
            StringBuilder line = new StringBuilder();
            int next = in.read();
            if (next < 0) {
                return null;
            }
            while (next >= 0 && next != '\n') {
                if (next != '\r') {
                    line.append((char) next);
                }
                next = in.read();
            }
            return line.toString();
        }
    }
}
