// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ObjectStore;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.storage.BlobStore;
import dev.volary.storage.BlobStore.Blob;
import dev.volary.storage.StorageRefusedException;
import dev.volary.storage.testkit.S3Server;
import dev.volary.worker.result.FilePartRepository;
import dev.volary.worker.result.PartRepository;
import dev.volary.worker.storage.DescribedStores;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints in a real object store: what is torn or damaged is skipped, and parts that it did not take are elsewhere. */
class StoredCheckpointsTest {
    /** A part is larger than one buffer. */
    private static final HeatCheckpoints HEAT = new HeatCheckpoints(200);

    @TempDir
    static Path shared;

    private static S3Server server;
    private static int prefixes;

    @TempDir
    Path folder;

    private ObjectStore described = ObjectStore.getDefaultInstance();

    @BeforeAll
    static void start() throws Exception {
        server = S3Server.start(shared.resolve("s3.log"));
        Files.writeString(shared.resolve("accessKeyId"), "test");
        Files.writeString(shared.resolve("secretAccessKey"), "test");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void useAnEmptyFolder() {
        described = ObjectStore.newBuilder()
                .setEndpoint(server.endpoint().toString())
                .setBucket(S3Server.BUCKET)
                .setPrefix("test-" + prefixes++ + "/heat")
                .setCredentialsFolder(shared.toString())
                .build();
    }

    @Test
    void aJobContinuesFromItsOwnNewestCheckpointAndTheNewestTwoAreKept() throws Exception {
        try (JobCheckpoints checkpoints = open(job("first"))) {
            for (int sid = 1; sid <= 4; sid++) {
                keep(checkpoints, sid, sid + 0.5);
            }
        }
        assertEquals(
                List.of(
                        "1/.parts/0-3.f64",
                        "1/.parts/0-4.f64",
                        "1/.parts/1-3.f64",
                        "1/.parts/1-4.f64",
                        "1/3.json",
                        "1/4.json"),
                keys());
        try (JobCheckpoints checkpoints = open(job("first"))) {
            StoredCheckpoint newest = checkpoints.findStart().orElseThrow();
            assertEquals(4, newest.record().sid());
            assertArrayEquals(values(1, 4.5), newest.part(1, decomposition()));
        }
    }

    @Test
    void aTornCheckpointIsSkipped() throws Exception {
        try (JobCheckpoints checkpoints = open(job("first"));
                BlobStore store = store()) {
            keep(checkpoints, 1, 1.5);
            keep(checkpoints, 2, 2.5);
            byte[] manifest = store.get("1/2.json");
            store.put("1/2.json", Arrays.copyOf(manifest, manifest.length / 2));
            assertEquals(1, startOf("first"));
            store.put("1/2.json", manifest);
            byte[] part = store.get("1/.parts/1-2.f64");
            store.put("1/.parts/1-2.f64", Arrays.copyOf(part, part.length - 1));
            assertEquals(1, startOf("first"));
            byte[] damaged = part.clone();
            damaged[damaged.length / 2] ^= 1;
            store.put("1/.parts/1-2.f64", damaged);
            assertEquals(1, startOf("first"));
            store.put("1/.parts/1-2.f64", part);
            assertEquals(2, startOf("first"));
        }
    }

    @Test
    void partsWithoutAManifestAreNoCheckpointAndAMissingPartMakesNone() throws Exception {
        try (JobCheckpoints checkpoints = open(job("first"));
                BlobStore store = store()) {
            CommittedStep record = stored(checkpoints, 1, 1.5);
            assertTrue(checkpoints.findStart().isEmpty());
            store.delete("1/.parts/1-1.f64");
            IOException missing =
                    assertThrows(IOException.class, () -> checkpoints.save(record, Map.of(), 0, OptionalLong.empty()));
            assertEquals(
                    "block 1 of snapshot 1 is not in " + store.location("1")
                            + "; all workers must be able to write there",
                    missing.getMessage());
            assertTrue(checkpoints.findStart().isEmpty());
        }
    }

    @Test
    void anotherJobRestoresItAndMakesItItsOwnOnAVolume() throws Exception {
        try (JobCheckpoints writer = open(job("first"))) {
            CommittedStep record = stored(writer, 3, 1.5);
            writer.save(record, Map.of(), 0, OptionalLong.empty());
            JobDescription.Builder second = job("second")
                    .clearCheckpointStore()
                    .setCheckpointFolder(folder.resolve("volume").toString())
                    .setRestoreStore(described);
            try (JobCheckpoints volume = open(second)) {
                assertEquals(3, volume.findStart().orElseThrow().record().sid());
                volume.save(record, Map.of(), 0, OptionalLong.empty());
            }
            try (JobCheckpoints volume = open(second)) {
                assertEquals(
                        "second", volume.findStart().orElseThrow().manifest().getUid());
            }
        }
    }

    @Test
    void aCheckpointOfAVolumeBecomesOneInTheObjectStore() throws Exception {
        Path there = folder.resolve("volume");
        CommittedStep record;
        try (JobCheckpoints writer = open(job("first").clearCheckpointStore().setCheckpointFolder(there.toString()))) {
            record = stored(writer, 3, 1.5);
            writer.save(record, Map.of(), 0, OptionalLong.empty());
        }
        JobDescription.Builder second = job("second").setRestoreFolder(there.toString());
        try (JobCheckpoints restored = open(second)) {
            assertTrue(restored.findStart().isPresent());
            restored.save(record, Map.of(), 0, OptionalLong.empty());
        }
        assertEquals(List.of("1/.parts/0-3.f64", "1/.parts/1-3.f64", "1/3.json"), keys());
        assertEquals(3, startOf("second"));
    }

    @Test
    void theNextJobOfTheNameTakesTheNextEpochAndRemovesTheOther() throws Exception {
        try (JobCheckpoints first = open(job("first"))) {
            keep(first, 7, 1.5);
        }
        try (JobCheckpoints second = open(job("second"))) {
            assertTrue(second.findStart().isEmpty());
            keep(second, 1, 2.5);
            assertTrue(keys().contains("1/7.json"));
            keep(second, 2, 3.5);
        }
        assertTrue(keys().stream().allMatch(key -> key.startsWith("2/")), keys().toString());
    }

    @Test
    void anEmptyPlaceToRestoreFromIsRefused() throws Exception {
        try (JobCheckpoints checkpoints =
                        open(job("second").clearCheckpointStore().setRestoreStore(described));
                BlobStore store = store()) {
            InvalidProblemException refused = assertThrows(InvalidProblemException.class, checkpoints::findStart);
            assertEquals(
                    "spec.restoreFrom leads to " + store.location("")
                            + ", where no checkpoint is; check its bucket, prefix and job, or remove it",
                    refused.getMessage());
        }
    }

    @Test
    void aBucketThatDoesNotExistIsRefused() {
        described = described.toBuilder().setBucket("absent").build();
        StorageRefusedException refused = assertThrows(StorageRefusedException.class, () -> open(job("first")));
        assertTrue(refused.toString().contains("create the bucket"), refused.toString());
    }

    @Test
    void aPartIsReadAndOpenedWithItsValuesAndLeavesNoFile() throws Exception {
        try (JobCheckpoints checkpoints = open(job("first"))) {
            double[] values = values(0, 0.25);
            int checksum = checkpoints.store(9, 0, values, values.length);
            assertArrayEquals(values, checkpoints.read(9, 0, values.length, checksum));
            try (FileChannel part = checkpoints.parts().orElseThrow().open(9, 0, values.length, checksum)) {
                ByteBuffer last = ByteBuffer.allocate(Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
                part.read(last, part.size() - Double.BYTES);
                assertEquals(values[values.length - 1], last.getDouble(0));
            }
            try (var left = Files.list(folder.resolve("out"))) {
                assertEquals(List.of(), left.toList());
            }
        }
    }

    @Test
    void aStoreThatCannotBeReachedIsNoDamagedCheckpoint() throws Exception {
        try (JobCheckpoints checkpoints = open(job("first"))) {
            keep(checkpoints, 1, 1.5);
            StoredCheckpoint kept = checkpoints.findStart().orElseThrow();
            StoredCheckpoint unreachable = new StoredCheckpoint(
                    kept.location(),
                    new StoredCheckpointParts(unreachable(), "1/.parts/", folder),
                    kept.manifest(),
                    kept.record());
            List<String> damaged = new ArrayList<>();
            assertThrows(
                    IOException.class,
                    () -> StoredCheckpoint.newestWhole(
                            List.of(unreachable), Optional.empty(), decomposition(), damaged));
            assertEquals(List.of(), damaged);
        }
    }

    /** A store at a port that no process listens on. */
    private BlobStore unreachable() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return dev.volary.storage.ObjectStore.open(DescribedStores.settings(described.toBuilder()
                    .setEndpoint("http://127.0.0.1:" + free.getLocalPort())
                    .build()));
        }
    }

    @Test
    void aPartThatTheStoreDoesNotTakeIsStoredWithTheResult() throws Exception {
        FilePartRepository results = new FilePartRepository(folder.resolve("results"));
        JobDescription.Builder job = job("first");
        try (JobCheckpoints checkpoints = open(job)) {
            PartRepository sink = checkpoints.partRepository(results);
            double[] values = values(0, 0.25);
            int taken = sink.store(1, 0, values, values.length);
            assertThrows(IOException.class, () -> results.read(1, 0, values.length, taken));
            PartRepository refusing = new FallbackPartRepository(new Refusing(), results);
            int checksum = refusing.store(2, 0, values, values.length);
            assertArrayEquals(values, sink.read(2, 0, values.length, checksum));
        }
    }

    private static final class Refusing implements PartRepository {
        @Override
        public int store(long sid, int block, double[] values, int count) throws IOException {
            throw new IOException("the store stands still");
        }

        @Override
        public double[] read(long sid, int block, int count, int checksum) throws IOException {
            throw new IOException("the store stands still");
        }
    }

    private BlobStore store() throws IOException {
        return dev.volary.storage.ObjectStore.open(DescribedStores.settings(described));
    }

    private List<String> keys() throws IOException {
        try (BlobStore store = store()) {
            return store.list("").stream().map(Blob::key).toList();
        }
    }

    private long startOf(String uid) throws Exception {
        try (JobCheckpoints checkpoints = open(job(uid))) {
            return checkpoints.findStart().orElseThrow().record().sid();
        }
    }

    private static JobCheckpoints open(JobDescription.Builder job) throws Exception {
        return HEAT.open(job);
    }

    private JobDescription.Builder job(String uid) {
        return HEAT.job(uid).setResultFolder(folder.resolve("out").toString()).setCheckpointStore(described);
    }

    private static void keep(JobCheckpoints checkpoints, long sid, double value) throws Exception {
        checkpoints.save(stored(checkpoints, sid, value), Map.of(), 0, OptionalLong.empty());
    }

    private static CommittedStep stored(JobCheckpoints checkpoints, long sid, double value) throws Exception {
        return HeatCheckpoints.store(checkpoints, sid, block -> values(block, value));
    }

    private static double[] values(int block, double value) throws Exception {
        double[] values = new double[decomposition().parts().get(block).core().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value + block + i;
        }
        return values;
    }

    private static Decomposition decomposition() throws InvalidProblemException {
        return HEAT.decomposition();
    }
}
