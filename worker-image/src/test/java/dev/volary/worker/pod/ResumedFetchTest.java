// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.Mesh;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.spawnerapi.ApiChannels;
import dev.volary.mesh.spawnerapi.DownloadWriteException;
import dev.volary.mesh.spawnerapi.FetchProgress;
import dev.volary.mesh.spawnerapi.ResultDigest;
import dev.volary.mesh.spawnerapi.SpawnerApi;
import dev.volary.mesh.spawnerapi.SpawnerClient;
import dev.volary.mesh.spawnerapi.SpawnerGrpcService;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.v1.Certified;
import dev.volary.mesh.v1.FetchReply;
import dev.volary.mesh.v1.FetchRequest;
import dev.volary.mesh.v1.Outcome;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fetch that is interrupted continues: real spools behind real gRPC servers on loopback, over mutual TLS. */
class ResumedFetchTest {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int CHUNKS = 24;

    /** A chunk is three pieces and a half. */
    private static final int CHUNK_ELEMENTS = 7 << 14;

    private static final long PIECE_BYTES = 256 << 10;

    /** Handshake, list of files and framing of one connection, with room to spare. */
    private static final long OVERHEAD_BYTES = 24 << 10;

    @TempDir
    Path folder;

    private final List<Mesh> meshes = new ArrayList<>();
    private final List<FetchRequest> requests = new ArrayList<>();
    private final ApiChannels channels = new ApiChannels("fetch");
    private CertificateAuthority authority;
    private Path spool = Path.of("");
    private Mesh first;

    @BeforeEach
    void aSpawnerWithAResult() throws Exception {
        authority = new CertificateAuthority("lab", "heat", "u1");
        spool = folder.resolve("spool");
        writeResult(spool, 4);
        first = serve(spool, 1);
    }

    @AfterEach
    void stop() {
        channels.close();
        meshes.forEach(Mesh::close);
    }

    @Test
    void aFetchThatIsCutAtTwentyRandomBytesLosesNothingAndResumesEachTime() throws Exception {
        long seed = 20_261_125;
        Random random = new Random(seed);
        long total = bytes(files(spool));
        Path home = folder.resolve("home");
        long forwarded = 0;
        long kept = 0;
        int cuts = 20;
        for (int cut = 0; cut < cuts; cut++) {
            // enough for the handshake and the list; all cuts together stay below the result
            long limit = OVERHEAD_BYTES + random.nextLong(total / cuts);
            try (LimitedLine line = new LimitedLine(port(first), limit);
                    SpawnerClient client = client(line.port())) {
                assertThrows(IOException.class, () -> client.fetch(home), "seed " + seed + ", cut " + cut);
                forwarded += line.forwarded();
            }
            long now = Files.exists(home) ? bytes(files(home)) : 0;
            assertTrue(now >= kept, "seed " + seed + ", cut " + cut + " lost bytes that were here");
            kept = now;
            assertFalse(new ResultSpool(spool).isFetched(), "an interrupted fetch changes nothing");
        }
        assertTrue(kept > total / 4, "seed " + seed + ": " + kept + " of " + total + " bytes arrived in pieces");
        try (LimitedLine line = new LimitedLine(port(first), Long.MAX_VALUE);
                SpawnerClient client = client(line.port())) {
            String digest = ResultDigest.of(client.fetch(home));
            assertEquals(new ResultSpool(spool).digest(), digest);
            forwarded += line.forwarded();
        }
        assertSameFiles(home);
        long again = forwarded - total;
        assertTrue(
                again <= (cuts + 1) * (PIECE_BYTES + OVERHEAD_BYTES),
                "seed " + seed + ": " + again + " bytes were sent again");
    }

    @Test
    void aFetchContinuesFromAnotherHolderOfTheResult() throws Exception {
        Path copy = folder.resolve("copy");
        copyTree(spool, copy);
        Path home = interrupted(3 * PIECE_BYTES * 4);
        long here = bytes(files(home));
        assertTrue(here > PIECE_BYTES, here + " bytes are here");
        requests.clear();
        long[] start = {-1};
        try (SpawnerClient client = client(port(serve(copy, 2)))) {
            assertEquals(new ResultSpool(spool).digest(), ResultDigest.of(client.fetch(home, 0, startOf(start))));
        }
        assertTrue(start[0] > PIECE_BYTES, start[0] + " bytes were kept");
        assertTrue(requests.getLast().getWantedList().stream().anyMatch(wanted -> wanted.getOffset() > 0));
        assertSameFiles(home);
    }

    @Test
    void aDamagedFileInTheDownloadFolderIsFetchedAgainAndTheOthersAreNot() throws Exception {
        Path home = folder.resolve("home");
        try (SpawnerClient client = client(port(first))) {
            var files = client.fetch(home);
            flip(home.resolve("result.zarr/u/c/2"), 1000);
            requests.clear();
            assertEquals(files, client.fetch(home));
            assertEquals(
                    List.of("result.zarr/u/c/2"),
                    requests.getLast().getWantedList().stream()
                            .map(wanted -> wanted.getPath())
                            .toList());
            assertEquals(0, requests.getLast().getWanted(0).getOffset());
        }
        assertSameFiles(home);
    }

    @Test
    void damagedFirstBytesOfAPartialFileAreFetchedAgain() throws Exception {
        Path home = interrupted(2 * PIECE_BYTES + PIECE_BYTES / 2);
        Path partial = files(home).stream()
                .filter(file -> file.toString().endsWith(".tmp"))
                .findFirst()
                .orElseThrow();
        flip(partial, 100);
        try (SpawnerClient client = client(port(first))) {
            assertFalse(client.fetch(home).isEmpty());
        }
        assertSameFiles(home);
    }

    @Test
    void anotherResultStartsWithAnEmptyFolder() throws Exception {
        Path home = interrupted(3 * PIECE_BYTES * 4);
        Path other = folder.resolve("other");
        writeResult(other, 5);
        long[] start = {-1};
        try (SpawnerClient client = client(port(serve(other, 2)))) {
            var ignored = client.fetch(home, 0, startOf(start));
        }
        assertEquals(0, start[0]);
        assertEquals(
                5,
                ResultAttributes.of(ZarrGroup.open(home.resolve("result.zarr")).attributes())
                        .snapshot());
    }

    @Test
    void aFullDiskChangesNothingAtTheSpawnerAndKeepsWhatArrived() throws Exception {
        Path home = folder.resolve("home");
        Path full = home.resolve("result.zarr/u/c/3.tmp");
        try (SpawnerClient client = client(port(first))) {
            FetchProgress fillDisk = (bytes, total) -> {
                if (bytes > 2 * CHUNK_ELEMENTS * (long) Double.BYTES && !Files.exists(full)) {
                    link(full);
                }
            };
            String failure =
                    String.valueOf(assertThrows(DownloadWriteException.class, () -> client.fetch(home, 0, fillDisk))
                            .getMessage());
            assertTrue(failure.contains("No space left on device"), failure);
            assertFalse(new ResultSpool(spool).isFetched());
            assertTrue(new ResultSpool(spool).isReady());
            Files.delete(full);
            long[] start = {-1};
            var ignored = client.fetch(home, 0, startOf(start));
            assertTrue(start[0] >= 2 * CHUNK_ELEMENTS * (long) Double.BYTES, start[0] + " bytes were kept");
        }
        assertSameFiles(home);
    }

    /** Writes to this device fail with ENOSPC. */
    private static void link(Path file) {
        try {
            Files.createSymbolicLink(file, Path.of("/dev/full"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static FetchProgress startOf(long[] start) {
        return (bytes, total) -> {
            if (total > 0 && start[0] < 0) {
                start[0] = bytes;
            }
        };
    }

    private Path interrupted(long afterBytes) throws Exception {
        Path home = folder.resolve("home");
        try (LimitedLine line = new LimitedLine(port(first), OVERHEAD_BYTES + afterBytes);
                SpawnerClient client = client(line.port())) {
            assertThrows(IOException.class, () -> client.fetch(home));
        }
        return home;
    }

    private SpawnerClient client(int port) throws Exception {
        return channels.spawner(new Address(LOOPBACK, port), authority.issue("operator", "volary"));
    }

    private static int port(Mesh mesh) {
        return mesh.self().address().port();
    }

    private Mesh serve(Path folder, long id) throws Exception {
        Identity me = authority.issue("spawner", "heat-s-" + id);
        Mesh mesh = Mesh.start(
                MeshConfig.builder(new WorkerId(id), WorkerRole.SPAWNER, LOOPBACK, 1)
                        .build(),
                me,
                (from, message) -> {},
                List.of(SpawnerGrpcService.spawner(me.id(), calls(new ResultSpool(folder)))),
                List.of());
        meshes.add(mesh);
        return mesh;
    }

    /** Serves a spool, and nothing else. */
    @SuppressWarnings("unchecked")
    private SpawnerApi calls(ResultSpool served) {
        return (SpawnerApi) Proxy.newProxyInstance(
                SpawnerApi.class.getClassLoader(),
                new Class<?>[] {SpawnerApi.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "fetch" -> {
                        FetchRequest request = (FetchRequest) arguments[0];
                        requests.add(request);
                        served.fetch(request, (Consumer<FetchReply>) arguments[1]);
                        yield null;
                    }
                    case "acknowledge" -> {
                        served.acknowledge((String) arguments[0]);
                        yield CompletableFuture.completedFuture(null);
                    }
                    default -> throw new IllegalStateException(method + " is not served");
                });
    }

    private static void writeResult(Path spool, long sid) throws IOException {
        ResultSpool written = new ResultSpool(spool);
        ZarrGroup group = ZarrGroup.create(written.result());
        ZarrArray array = group.createArray(
                "u",
                ChunkGrid.of(new int[] {CHUNKS * CHUNK_ELEMENTS}, new int[] {CHUNK_ELEMENTS}),
                List.of("x"),
                Map.of());
        Random random = new Random(sid);
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            array.writeChunk(new int[] {chunk}, random.doubles(CHUNK_ELEMENTS).toArray());
        }
        var ignored = group.commit(new ResultAttributes("heat", "heat2d", true, 9e-9, 9e-9, 1e-8, sid).toMap());
        written.recordOutcome(Outcome.newBuilder()
                .setCertified(Certified.newBuilder().setSid(sid).setResidual(9e-9))
                .build());
    }

    private void assertSameFiles(Path home) throws IOException {
        Path here = home.resolve("result.zarr");
        Path there = spool.resolve("result.zarr");
        assertEquals(
                files(there).stream().map(there::relativize).toList(),
                files(here).stream().map(here::relativize).toList());
        for (Path file : files(there)) {
            assertEquals(-1, Files.mismatch(file, here.resolve(there.relativize(file))), file.toString());
        }
    }

    private static List<Path> files(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static long bytes(List<Path> files) throws IOException {
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    private static void flip(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 1;
        Files.write(file, bytes);
    }

    private static void copyTree(Path from, Path to) throws IOException {
        for (Path file : files(from)) {
            Path target = to.resolve(from.relativize(file));
            Files.createDirectories(target.getParent());
            Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
