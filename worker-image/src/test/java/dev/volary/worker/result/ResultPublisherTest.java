// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results go to a folder that stands for a volume. */
class ResultPublisherTest {
    private static final long SID = 7;

    @TempDir
    Path volume;

    @TempDir
    Path spool;

    private ResultPublisher publisher() {
        return ResultPublisher.of(JobDescription.newBuilder()
                        .setName("heat")
                        .setUid("0123456789-abc")
                        .setResultVolume(volume.toString())
                        .build())
                .orElseThrow();
    }

    private Path result(double value) throws IOException {
        ZarrGroup group = ZarrGroup.create(spool.resolve("result.zarr"));
        ZarrArray array = group.createArray("u", ChunkGrid.bounded(new int[] {4}, 2), List.of("i"), Map.of());
        array.writeAll(new double[] {value, value, value, value});
        group.commit(Map.of());
        return spool.resolve("result.zarr");
    }

    private double[] read(Path group) throws IOException {
        return ZarrGroup.open(group).array("u").readAll();
    }

    @Test
    void aJobThatNamesNoStorageHasNoPublisher() {
        assertTrue(ResultPublisher.of(JobDescription.getDefaultInstance()).isEmpty());
    }

    @Test
    void aPublishedResultIsFoundAndRead() throws IOException {
        assertEquals(Optional.empty(), publisher().find(SID));
        String location = publisher().publish(result(1), SID);
        assertEquals(volume.resolve("heat/7-01234567/result.zarr").toString(), location);
        assertEquals(Optional.of(location), publisher().find(SID));
        assertArrayEquals(new double[] {1, 1, 1, 1}, read(Path.of(location)));
    }

    @Test
    void theNameOfTheResultLeadsToTheNewestSnapshot() throws IOException {
        publisher().publish(result(1), SID);
        publisher().publish(result(2), SID + 1);
        assertArrayEquals(new double[] {2, 2, 2, 2}, read(volume.resolve("heat/result.zarr")));
        assertArrayEquals(new double[] {1, 1, 1, 1}, read(volume.resolve("heat/7-01234567/result.zarr")));
    }

    @Test
    void whatAnInterruptedAttemptHasLeftIsNoResultAndIsReplaced() throws IOException {
        Path place = volume.resolve("heat/7-01234567/result.zarr");
        Files.createDirectories(place.resolve("u/c"));
        Files.writeString(place.resolve("u/c/0"), "half a chunk");
        assertEquals(Optional.empty(), publisher().find(SID));
        publisher().publish(result(3), SID);
        assertArrayEquals(new double[] {3, 3, 3, 3}, read(place));
    }

    @Test
    void aVolumeThatCannotBeWrittenIsNamed() throws IOException {
        Files.writeString(volume.resolve("heat"), "a file in the way");
        IOException failed = assertThrows(IOException.class, () -> publisher().publish(result(1), SID));
        assertTrue(
                String.valueOf(failed.getMessage())
                        .contains(volume.resolve("heat").toString()),
                failed.toString());
    }

    @Test
    void theCheckLeavesNothing() throws IOException {
        publisher().check();
        try (var left = Files.list(volume.resolve("heat"))) {
            assertEquals(0, left.count());
        }
    }
}
