// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.volary.storage.testkit.S3Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObjectStoreTest extends BlobStoreContract {
    @TempDir
    static Path logs;

    private Optional<S3Server> server = Optional.empty();
    private int prefixes;

    @BeforeAll
    void startServer() throws Exception {
        server = Optional.of(S3Server.start(logs.resolve("s3.log")));
    }

    @AfterAll
    void stopServer() {
        server.ifPresent(S3Server::close);
    }

    private ObjectStoreSettings settings(String bucket, Path credentials) {
        return new ObjectStoreSettings(
                Optional.of(server.orElseThrow().endpoint()),
                Optional.empty(),
                bucket,
                "prefix-" + prefixes++,
                Optional.of(credentials));
    }

    private Path credentials() throws IOException {
        Path folder = Files.createDirectories(scratch.resolve("secret"));
        Files.writeString(folder.resolve("accessKeyId"), "test\n");
        Files.writeString(folder.resolve("secretAccessKey"), "test\n");
        return folder;
    }

    @Override
    BlobStore store() throws IOException {
        return ObjectStore.open(settings(S3Server.BUCKET, credentials()));
    }

    @Test
    void allObjectsOfALongListAreFound() throws Exception {
        try (BlobStore store = store()) {
            for (int i = 0; i < 1005; i++) { // a page of the S3 API has 1000
                store.put("long/" + i, bytes(""));
            }
            assertEquals(1005, store.list("long/").size());
        }
    }

    @Test
    void aBucketThatDoesNotExistIsNamedWithTheRemedy() throws Exception {
        try (BlobStore store = ObjectStore.open(settings("absent", credentials()))) {
            StorageRefusedException refused =
                    assertThrows(StorageRefusedException.class, () -> store.put("x", bytes("x")));
            assertEquals(
                    store.location("x") + ": the object store answers 404 (NoSuchBucket: The specified bucket does"
                            + " not exist); create the bucket, or correct its name or the endpoint",
                    refused.getMessage());
        }
    }

    @Test
    void aMissingCredentialIsNamed() throws Exception {
        Path folder = credentials();
        Files.delete(folder.resolve("secretAccessKey"));
        StorageRefusedException refused =
                assertThrows(StorageRefusedException.class, () -> ObjectStore.open(settings(S3Server.BUCKET, folder)));
        assertEquals(
                "the credentials of the object store lack secretAccessKey; their Secret must have accessKeyId and"
                        + " secretAccessKey",
                refused.getMessage());
    }

    @Test
    void requestsAreSignedForTheRegion() throws Exception {
        List<String> signatures = new CopyOnWriteArrayList<>();
        HttpServer any = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        any.createContext("/", exchange -> {
            signatures.add(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        any.start();
        try (BlobStore store = ObjectStore.open(new ObjectStoreSettings(
                Optional.of(URI.create("http://127.0.0.1:" + any.getAddress().getPort())),
                Optional.of("eu-central-1"),
                S3Server.BUCKET,
                "",
                Optional.of(credentials())))) {
            store.delete("x");
        } finally {
            any.stop(0);
        }
        // The credential scope of Signature Version 4 is date/region/service/aws4_request.
        assertTrue(signatures.getFirst().contains("/eu-central-1/s3/aws4_request"), signatures.toString());
    }

    @Test
    void credentialsAreReadForEachRequest() throws Exception {
        Path folder = credentials();
        try (BlobStore store = ObjectStore.open(settings(S3Server.BUCKET, folder))) {
            store.put("x", bytes("x"));
            Files.delete(folder.resolve("accessKeyId"));
            IOException failed = assertThrows(IOException.class, () -> store.put("x", bytes("y")));
            assertTrue(failed.toString().contains("lack accessKeyId"), failed.toString());
        }
    }

    @Test
    void aServerThatDoesNotAnswerIsNamedWithTheEndpoint() throws Exception {
        S3Server closed = S3Server.start(logs.resolve("closed.log"));
        closed.close();
        ObjectStoreSettings settings = new ObjectStoreSettings(
                Optional.of(closed.endpoint()), Optional.empty(), S3Server.BUCKET, "", Optional.of(credentials()));
        try (BlobStore store = ObjectStore.open(settings)) {
            IOException failed = assertThrows(IOException.class, () -> store.put("x", bytes("x")));
            assertEquals(
                    "s3://results/x cannot be reached: ConnectException: Connection refused; check the endpoint "
                            + closed.endpoint() + " and its certificate",
                    failed.getMessage());
        }
    }
}
