// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.worker.result.FilePartRepository;
import dev.volary.worker.result.PartRepository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints on a volume: damaged ones are skipped, those of another problem are refused with the difference. */
class JobCheckpointsTest {
    private static final HeatCheckpoints HEAT = new HeatCheckpoints(6);
    private static final Map<Integer, Long> ITERATIONS = Map.of(0, 17L, 1, 19L);

    @TempDir
    Path folder;

    @Test
    void aNewJobStartsWithoutACheckpoint() throws Exception {
        assertTrue(own("first").findStart().isEmpty());
    }

    @Test
    void aJobContinuesFromItsOwnNewestCheckpoint() throws Exception {
        keep(own("first"), 1, 1.5);
        keep(own("first"), 2, 2.5);
        StoredCheckpoint newest = own("first").findStart().orElseThrow();
        assertEquals(2, newest.record().sid());
        assertEquals(19, newest.iteration(1));
        assertArrayEquals(values(1, 2.5), newest.part(1, decomposition()));
    }

    @Test
    void onlyTheNewestTwoAreKept() throws Exception {
        JobCheckpoints volume = own("first");
        for (int sid = 1; sid <= 4; sid++) {
            keep(volume, sid, sid);
        }
        assertEquals(List.of("3.json", "4.json"), names(folder.resolve("1")));
        assertEquals(
                List.of("0-3.f64", "0-4.f64", "1-3.f64", "1-4.f64"),
                names(folder.resolve("1").resolve(".parts")));
    }

    @Test
    void aTornManifestIsSkipped() throws Exception {
        keep(own("first"), 1, 1.5);
        keep(own("first"), 2, 2.5);
        Path newest = folder.resolve("1").resolve("2.json");
        String text = Files.readString(newest);
        Files.writeString(newest, text.substring(0, text.length() / 2));
        assertEquals(1, own("first").findStart().orElseThrow().record().sid());
    }

    @Test
    void aChangedManifestIsSkipped() throws Exception {
        keep(own("first"), 1, 1.5);
        keep(own("first"), 2, 2.5);
        Path newest = folder.resolve("1").resolve("2.json");
        Files.writeString(newest, Files.readString(newest).replace("\"19\"", "\"91\""));
        assertEquals(1, own("first").findStart().orElseThrow().record().sid());
    }

    @Test
    void aCheckpointWithADamagedOrTruncatedPartIsSkipped() throws Exception {
        keep(own("first"), 1, 1.5);
        keep(own("first"), 2, 2.5);
        Path part = folder.resolve("1").resolve(".parts").resolve("1-2.f64");
        byte[] whole = Files.readAllBytes(part);
        byte[] damaged = whole.clone();
        damaged[damaged.length / 2] ^= 1;
        Files.write(part, damaged);
        assertEquals(1, own("first").findStart().orElseThrow().record().sid());
        Files.write(part, Arrays.copyOf(whole, whole.length - 1));
        assertEquals(1, own("first").findStart().orElseThrow().record().sid());
        Files.write(part, whole);
        assertEquals(2, own("first").findStart().orElseThrow().record().sid());
    }

    @Test
    void theErrorGivesTheReasonIfNoCheckpointIsComplete() throws Exception {
        keep(own("first"), 1, 1.5);
        Files.delete(folder.resolve("1").resolve(".parts").resolve("0-1.f64"));
        String reason = refusal(own("first"));
        assertTrue(
                reason.startsWith(
                        "spec.checkpoint.volume leads to " + folder + ", where no checkpoint of this job is whole"),
                reason);
        assertTrue(reason.contains("0-1.f64"), reason);
    }

    @Test
    void aCheckpointWithMissingPartsIsNotSaved() throws Exception {
        JobCheckpoints volume = own("first");
        CommittedStep record = stored(volume, 1, 1.5);
        Files.delete(folder.resolve("1").resolve(".parts").resolve("1-1.f64"));
        IOException missing =
                assertThrows(IOException.class, () -> volume.save(record, ITERATIONS, 0, OptionalLong.empty()));
        assertTrue(
                String.valueOf(missing.getMessage()).contains("block 1 of snapshot 1 is not in"), missing.toString());
        assertTrue(volume.findStart().isEmpty());
    }

    @Test
    void partsWithoutAManifestAreNotACheckpoint() throws Exception {
        keep(own("first"), 1, 1.5);
        stored(own("first"), 2, 2.5);
        assertEquals(1, own("first").findStart().orElseThrow().record().sid());
    }

    @Test
    void anotherJobOfTheSameNameStartsFromTheCheckpointOnlyIfItsManifestSaysSo() throws Exception {
        keep(own("first"), 7, 1.5);
        assertTrue(own("second").findStart().isEmpty());
        JobCheckpoints restoring = open(job("second").setRestoreFolder(folder.toString()));
        assertEquals(7, restoring.findStart().orElseThrow().record().sid());
        // Its own are newer from the first on, whatever their numbers are.
        keep(restoring, 1, 2.5);
        StoredCheckpoint newest = open(job("second").setRestoreFolder(folder.toString()))
                .findStart()
                .orElseThrow();
        assertEquals(1, newest.record().sid());
        assertEquals(2, newest.manifest().getEpoch());
        assertTrue(Files.exists(folder.resolve("1")), "the one before is there until there are two newer ones");
        keep(restoring, 2, 3.5);
        assertFalse(Files.exists(folder.resolve("1")));
    }

    @Test
    void aStateRestoredFromAnotherFolderCanBecomeTheJobsOwnCheckpoint() throws Exception {
        Path here = folder.resolve("here");
        Path there = folder.resolve("there");
        JobCheckpoints writer = open(job("first").setCheckpointFolder(there.toString()));
        CommittedStep record = stored(writer, 3, 1.5);
        writer.save(record, ITERATIONS, 0, OptionalLong.empty());
        JobDescription.Builder second =
                job("second").setCheckpointFolder(here.toString()).setRestoreFolder(there.toString());
        JobCheckpoints volume = open(second);
        assertTrue(volume.findStart().isPresent());
        assertArrayEquals(
                values(0, 1.5),
                volume.read(3, 0, values(0, 0).length, record.parts().get(0).checksum()));
        volume.save(record, ITERATIONS, 0, OptionalLong.empty());
        assertEquals("second", open(second).findStart().orElseThrow().manifest().getUid());
    }

    @Test
    void aJobThatOnlyRestoresReadsTheOldPartsAndStoresItsOwnElsewhere() throws Exception {
        JobCheckpoints writer = own("first");
        CommittedStep record = stored(writer, 3, 1.5);
        writer.save(record, ITERATIONS, 0, OptionalLong.empty());
        JobCheckpoints volume = open(job("second").clearCheckpointFolder().setRestoreFolder(folder.toString()));
        FilePartRepository results = new FilePartRepository(folder.resolve("results"));
        PartRepository sink = volume.partRepository(results);
        int checksum = sink.store(4, 0, values(0, 4), values(0, 4).length);
        assertArrayEquals(values(0, 4), results.read(4, 0, values(0, 4).length, checksum));
        assertArrayEquals(
                values(1, 1.5),
                sink.read(3, 1, values(1, 0).length, record.parts().get(1).checksum()));
    }

    @Test
    void aCheckpointOfAnotherProblemIsRefusedByFieldAndValue() throws Exception {
        keep(own("first"), 1, 1.5);
        assertEquals(
                "spec.restoreFrom leads to a checkpoint of job heat that has spec.problem.parameters.points 6, and 7 in this"
                        + " job; restore one of the same problem and blocks, or remove it",
                refusal(restoring(job("second").putParameters("points", whole(7)))));
        assertEquals(
                "spec.restoreFrom leads to a checkpoint of job heat that has spec.blocks 2, and 3 in this job; restore"
                        + " one of the same problem and blocks, or remove it",
                refusal(restoring(job("second").setBlocks(3))));
        assertEquals(
                "spec.restoreFrom leads to a checkpoint of job heat that has spec.problem.parameters.boundary (not"
                        + " given), and Series in this job; restore one of the same problem and blocks, or remove it",
                refusal(restoring(job("second")
                        .putParameters(
                                "boundary",
                                ParameterValue.newBuilder().setText("Series").build()))));
    }

    @Test
    void anEmptyFolderToRestoreFromIsRefused() throws Exception {
        Path empty = folder.resolve("empty");
        assertEquals(
                "spec.restoreFrom leads to " + empty
                        + ", where no checkpoint is; check its claim, subPath and job, or remove it",
                refusal(open(job("second").setRestoreFolder(empty.toString()))));
    }

    @Test
    void theErrorNamesAManifestOfAnotherVersion() throws Exception {
        keep(own("first"), 1, 1.5);
        Path manifest = folder.resolve("1").resolve("1.json");
        Files.writeString(
                manifest,
                Files.readString(manifest).replace("\"version\": 1", "\"version\": 9"),
                StandardCharsets.UTF_8,
                StandardOpenOption.TRUNCATE_EXISTING);
        String reason = refusal(restoring(job("second")));
        assertTrue(reason.contains("has version 9, must have 1"), reason);
    }

    private static String refusal(JobCheckpoints volume) {
        return String.valueOf(
                assertThrows(InvalidProblemException.class, volume::findStart).getMessage());
    }

    private JobCheckpoints restoring(JobDescription.Builder job) throws Exception {
        return open(job.clearCheckpointFolder().setRestoreFolder(folder.toString()));
    }

    private JobCheckpoints own(String uid) throws Exception {
        return open(job(uid));
    }

    private static JobCheckpoints open(JobDescription.Builder job) throws Exception {
        return HEAT.open(job);
    }

    private JobDescription.Builder job(String uid) {
        return HEAT.job(uid).setCheckpointFolder(folder.toString());
    }

    private static ParameterValue whole(int value) {
        return ParameterValue.newBuilder().setWhole(value).build();
    }

    private static void keep(JobCheckpoints volume, long sid, double value) throws Exception {
        volume.save(stored(volume, sid, value), ITERATIONS, 0, OptionalLong.empty());
    }

    private static CommittedStep stored(JobCheckpoints volume, long sid, double value) throws Exception {
        return HeatCheckpoints.store(volume, sid, block -> values(block, value));
    }

    private static double[] values(int block, double value) throws Exception {
        double[] values = new double[decomposition().parts().get(block).core().size()];
        Arrays.fill(values, value + block);
        return values;
    }

    private static Decomposition decomposition() throws InvalidProblemException {
        return HEAT.decomposition();
    }

    private static List<String> names(Path in) throws IOException {
        try (var files = Files.list(in)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }
}
