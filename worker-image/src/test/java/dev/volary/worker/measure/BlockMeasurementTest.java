// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.solver.InvalidProblemException;
import dev.volary.worker.runtime.OpenedProblem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockMeasurementTest {
    @Test
    void aBlockIsOpenedIteratedAndWeighed() throws InvalidProblemException {
        OpenedProblem problem = OpenedProblem.open(JobDescription.newBuilder()
                .setProblem("poisson3d")
                .putParameters(
                        "points", ParameterValue.newBuilder().setWhole(63).build())
                .setBlocks(2)
                .build());
        // Megabytes, so that what other tests leave to the collector does not count.
        BlockMeasurement measured = BlockMeasurement.of(problem, 1, Duration.ofMillis(200));
        assertTrue(measured.openSeconds() > 0);
        assertTrue(measured.iterationSeconds() > 0 && measured.iterationSeconds() < 1);
        assertTrue(measured.iterations() >= 3);
        long core = (long) Double.BYTES
                * problem.decomposition().parts().get(1).core().size();
        assertTrue(measured.heapBytes() > core, measured.heapBytes() + " is not more than the values alone");
        assertEquals(
                Integer.toString(measured.iterations()), measured.properties().getProperty("iterations"));
    }

    @Test
    void iterationsWhoseCodeIsNotCompiledDoNotCount() {
        assertEquals(2, BlockMeasurement.medianOfLaterHalf(List.of(50.0, 40.0, 9.0, 1.0, 2.0, 3.0)));
        assertEquals(7, BlockMeasurement.medianOfLaterHalf(List.of(50.0, 7.0)));
    }
}
