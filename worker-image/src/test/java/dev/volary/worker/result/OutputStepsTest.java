// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage.StoredPart;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Shape;
import dev.volary.solver.Subdomain;
import dev.volary.solver.TimeStepping;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every second of six time steps is brought to a folder that stands for a volume, by leaders with a disk each. */
class OutputStepsTest {
    private static final Shape SHAPE = Shape.of(4);
    private static final Decomposition DECOMPOSITION = new Decomposition(
            SHAPE,
            List.of(
                    new Subdomain(0, Box.of(new int[] {0}, new int[] {2}), 16, 2),
                    new Subdomain(1, Box.of(new int[] {2}, new int[] {4}), 16, 2)),
            List.of());

    @TempDir
    Path folder;

    private final class Leader {
        private final Path spool;
        private final OutputSteps outputs;

        Leader(String name) throws IOException {
            spool = Files.createDirectories(folder.resolve(name));
            outputs = new OutputSteps(spool, new TimeStepping(6, 0.5), 2, 1);
        }

        void keep(int step) throws IOException {
            CommittedStep record = new CommittedStep(step, 10 + step, step * 1e-9, store(step));
            outputs.keep(record, into -> writer(into).assemble(record.sid(), record.parts(), attributes(record)));
        }

        private List<StoredPart> store(int step) throws IOException {
            List<StoredPart> parts = new ArrayList<>();
            for (Subdomain part : DECOMPOSITION.parts()) {
                double[] values = {step, step};
                int checksum = new FilePartRepository(spool).store(10 + step, part.id(), values, values.length);
                parts.add(new StoredPart(
                        new RecordedBlock(part.id(), new Incarnation(new GroupTerm(1, new WorkerId(1)), 1), 1),
                        checksum));
            }
            return parts;
        }

        private ZarrResultWriter writer(Path into) {
            return new ZarrResultWriter(into, spool, DECOMPOSITION, "u", List.of());
        }

        /** What the worker does with a committed step. */
        void publish(int step) throws IOException {
            keep(step);
            Path series = Files.createDirectories(spool.resolve(".series"));
            writer(series).assembleSteps(Map.of(), step, outputs);
            assertEquals(published().toString(), publisher().publishSteps(series.resolve("result.zarr")));
        }

        boolean takeOver() throws IOException {
            Path series = Files.createTempDirectory(spool, "series");
            boolean isNews = publisher().fetchSteps(series, outputs::has);
            if (isNews) {
                outputs.takeOver(ZarrGroup.open(series));
            }
            return isNews;
        }
    }

    private static Map<String, Object> attributes(CommittedStep record) {
        return new ResultAttributes("job", "test", true, record.residual(), record.residual(), 1, record.sid()).toMap();
    }

    private ResultPublisher publisher() {
        return ResultPublisher.of(JobDescription.newBuilder()
                        .setName("job")
                        .setUid("0123456789-abc")
                        .setResultVolume(folder.resolve("volume").toString())
                        .build())
                .orElseThrow();
    }

    private Path published() {
        return folder.resolve("volume/job/steps-01234567/result.zarr");
    }

    /** Each step has its number in all places. */
    private void holds(Integer... steps) throws IOException {
        ZarrGroup group = ZarrGroup.open(published());
        ZarrArray array = group.array("u");
        assertArrayEquals(new int[] {steps.length, 4}, array.grid().shape());
        double[] expected = Arrays.stream(steps)
                .flatMapToDouble(step -> Arrays.stream(new double[] {step, step, step, step}))
                .toArray();
        assertArrayEquals(expected, array.readAll());
        assertArrayEquals(
                Arrays.stream(steps).mapToDouble(step -> step * 0.5).toArray(),
                group.coordinates("time").orElseThrow());
        assertEquals(
                Arrays.stream(steps).map(Integer::longValue).toList(),
                group.attributes().get("output_steps"));
    }

    @Test
    void theSeriesGrowsAlongTime() throws IOException {
        Leader leader = new Leader("one");
        leader.publish(2);
        holds(2);
        leader.publish(4);
        holds(2, 4);
        assertArrayEquals(
                new double[] {2, 2, 2, 2, 4, 4, 4, 4},
                ZarrGroup.open(folder.resolve("volume/job/result.zarr"))
                        .array("u")
                        .readAll(),
                "the name of the result leads to the steps while the job runs");
    }

    @Test
    void aReaderThatHasReadTheMetadataReadsTheSameWhileItGrows() throws IOException {
        Leader leader = new Leader("one");
        leader.publish(2);
        ZarrGroup group = ZarrGroup.open(published());
        ZarrArray field = group.array("u");
        ZarrArray time = group.array("time");
        leader.publish(4);
        assertArrayEquals(new double[] {2, 2, 2, 2}, field.readAll());
        assertArrayEquals(new double[] {1}, time.readAll());
    }

    @Test
    void theNextLeaderHasTheStepsOfTheOneBefore() throws IOException {
        new Leader("one").publish(2);
        Leader next = new Leader("two");
        assertTrue(next.takeOver());
        assertFalse(next.takeOver(), "they are here now");
        next.publish(4);
        holds(2, 4);
        next.writer(next.spool).assembleSeries(16, next.store(6), Map.of("certified_residual", 6e-9), 6, next.outputs);
        ZarrGroup result = ZarrGroup.open(next.spool.resolve("result.zarr"));
        assertArrayEquals(
                new double[] {2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6},
                result.array("u").readAll());
        assertEquals(List.of(2e-9, 4e-9, 6e-9), result.attributes().get("output_residuals"));
    }

    @Test
    void aLeaderThatGoesOnFromACheckpointHasTheStepsBeforeIt() throws IOException {
        new Leader("one").publish(2);
        Leader resumed = new Leader("two");
        OutputSteps outputs = new OutputSteps(resumed.spool, new TimeStepping(6, 0.5), 2, 4);
        assertTrue(resumed.takeOver());
        resumed.keep(4);
        assertEquals(
                List.of(2, 4),
                outputs.before(6).stream().map(OutputSteps.OutputStep::step).toList());
    }

    @Test
    void aStepWithoutTheMetadataOfTheGroupIsNotThere() throws IOException {
        Leader leader = new Leader("one");
        leader.publish(2);
        Files.delete(published().resolve("zarr.json"));
        assertFalse(new Leader("two").takeOver());
    }

    @Test
    void theStepsGoOnceTheResultHasThem() throws IOException {
        new Leader("one").publish(2);
        publisher().removeSteps();
        assertFalse(Files.exists(published().resolve("zarr.json")));
        assertEquals(Optional.empty(), publisher().find(12));
    }
}
