// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Time steps that are written to a volume when they are committed. */
@OnSharedCluster
@OnTestbed
class KeptStepsIT {
    private static final int STEPS = 6;
    private static final String NAME = "kept-steps";

    @TempDir
    Path folder;

    @Test
    void theStepsOnAVolumeAreReadWhileTheJobRunsAndOutliveItsLeader() throws Exception {
        SharedFolder shared = SharedFolder.in(folder);
        String volume = "volary-e2e-kept-steps";
        String spec = Specs.few(Specs.timeSteps(48, STEPS)).replace("podRetention: All\n", "")
                + "result: {destination: Volume, everySteps: 2, volume: {persistentVolumeClaim: {claimName: %s}}}\n"
                        .formatted(SharedFolder.CLAIM);
        Path result = shared.folder().resolve(NAME).resolve("result.zarr");
        try (ClusterJob job = new ClusterJob(NAME, spec, shared.claimed(volume))) {
            job.until("has kept a step", () -> steps(result).contains(2L));
            double[] second = step(result, 0);
            assertEquals("Running", job.status("phase"), "the job was over too soon");
            String leader = job.leader();
            job.deleteAtOnce(List.of(leader));
            job.until("has another leader", () -> !job.status("leader").equals(leader));
            assertArrayEquals(second, step(result, 0), "the steps outlive the leader");
            job.awaitSuccess();
            job.until("is published", () -> job.condition("ResultAvailable").equals("True Published"));
            assertEquals(List.of(2L, 4L, 6L), steps(result));
            assertArrayEquals(second, step(result, 0), "a committed step never changes");
            try (Stream<Path> left = Files.list(shared.folder().resolve(NAME))) {
                assertEquals(
                        0,
                        left.filter(place -> Files.exists(place.resolve("result.zarr/zarr.json")))
                                .filter(place -> place.getFileName().toString().startsWith("steps-"))
                                .count(),
                        "the result has the steps");
            }
        } finally {
            SharedFolder.delete(volume);
        }
    }

    /** The steps that can be read; none before the first one. */
    private static List<?> steps(Path result) throws IOException {
        if (!Files.exists(result)) {
            return List.of();
        }
        return ZarrGroup.open(result).attributes().get(ResultAttributes.OUTPUT_STEPS) instanceof List<?> steps
                ? steps
                : List.of();
    }

    private static double[] step(Path result, int index) throws IOException {
        ZarrGroup group = ZarrGroup.open(result);
        ZarrArray field = group.array(group.fields().getFirst());
        assertEquals("time", field.dimensions().getFirst());
        return field.at(index).readAll();
    }
}
