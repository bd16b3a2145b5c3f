// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.volary.mesh.arbiter.ApiServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * As much of an API server as a Lease needs, over HTTPS: get and replace with the resource version compared, bearer tokens.
 * Can be away for a while on the same port.
 */
public final class FakeApiServer implements AutoCloseable {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final Path folder;
    private final SSLContext tls;
    private final Map<String, JsonObject> leases = new ConcurrentHashMap<>();
    private final AtomicInteger requests = new AtomicInteger();
    private HttpsServer server;
    private final int port;
    private long version = 100;
    private volatile String token = "first";

    /** Listens on 127.0.0.1; its certificate and a token are in {@code folder}, as in a pod. */
    public FakeApiServer(Path folder) throws Exception {
        this.folder = folder;
        Path store = folder.resolve("server.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "server",
                        "-dname",
                        "CN=api",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException(output);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        Certificate certificate = keys.getCertificate("server");
        Files.writeString(
                folder.resolve("ca.crt"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        token(token);
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(keys, PASSWORD);
        tls = SSLContext.getInstance("TLS");
        tls.init(factory.getKeyManagers(), null, null);
        server = listen(0);
        port = server.getAddress().getPort();
    }

    private HttpsServer listen(int at) throws IOException {
        HttpsServer listening = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 0);
        listening.setHttpsConfigurator(new HttpsConfigurator(tls));
        listening.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        listening.createContext("/apis/coordination.k8s.io/v1/namespaces/", this::answer);
        listening.start();
        return listening;
    }

    /** A Lease as the operator makes it. */
    public synchronized void create(String namespace, String name) {
        JsonObject lease = JsonParser.parseString("""
                {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
                 "metadata": {"name": "%s", "namespace": "%s", "resourceVersion": "%d"}, "spec": {}}
                """.formatted(name, namespace, version++))
                .getAsJsonObject();
        leases.put("/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/" + name, lease);
    }

    /** Deletes a Lease, as it happens with its job. */
    public synchronized void delete(String namespace, String name) {
        leases.remove("/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/" + name);
    }

    /** The Lease as it is. */
    public synchronized JsonObject lease(String namespace, String name) {
        JsonObject there = leases.get("/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/" + name);
        if (there == null) {
            throw new IllegalArgumentException("there is no Lease " + namespace + "/" + name);
        }
        return there.deepCopy();
    }

    /** Removes the leader; the term stays, as the operator leaves it when it has deleted all pods. */
    public synchronized void withdrawLead(String namespace, String name) {
        JsonObject next = lease(namespace, name);
        next.getAsJsonObject("spec").remove("holderIdentity");
        next.getAsJsonObject("metadata").remove("annotations");
        next.getAsJsonObject("metadata").addProperty("resourceVersion", Long.toString(version++));
        leases.put("/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/" + name, next);
    }

    /** From now on only this token is taken; the kubelet has put it into the file. */
    public void token(String next) throws IOException {
        token = next;
        Files.writeString(folder.resolve("token"), next + "\n");
    }

    /** Requests answered so far. */
    public int requests() {
        return requests.get();
    }

    /** As pods reach it. */
    public ApiServer address() {
        return new ApiServer(
                URI.create("https://127.0.0.1:" + port), folder.resolve("token"), folder.resolve("ca.crt"));
    }

    public int port() {
        return port;
    }

    /** Stops listening. */
    public synchronized void goAway() {
        server.stop(0);
    }

    /** It is there again, with what it knew. */
    public synchronized void comeBack() throws IOException {
        server = listen(port);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            requests.incrementAndGet();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (!("Bearer " + token).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                respond(exchange, 401, "{}");
                return;
            }
            String path = exchange.getRequestURI().getPath();
            synchronized (this) {
                JsonObject there = leases.get(path);
                if (there == null) {
                    respond(exchange, 404, "{}");
                } else if (exchange.getRequestMethod().equals("GET")) {
                    respond(exchange, 200, there.toString());
                } else if (exchange.getRequestMethod().equals("PUT")) {
                    JsonObject next = JsonParser.parseString(body).getAsJsonObject();
                    JsonObject metadata = next.getAsJsonObject("metadata");
                    if (!metadata.get("resourceVersion")
                            .equals(there.getAsJsonObject("metadata").get("resourceVersion"))) {
                        respond(exchange, 409, "{}");
                    } else {
                        metadata.addProperty("resourceVersion", Long.toString(version++));
                        leases.put(path, next);
                        respond(exchange, 200, next.toString());
                    }
                } else {
                    respond(exchange, 405, "{}");
                }
            }
        }
    }

    private static void respond(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        goAway();
    }
}
