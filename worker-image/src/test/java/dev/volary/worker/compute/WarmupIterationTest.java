// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.solver.InvalidProblemException;
import dev.volary.worker.runtime.OpenedProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WarmupIterationTest {
    private static JobDescription job(String problem, Map<String, ParameterValue> parameters) {
        return JobDescription.newBuilder()
                .setProblem(problem)
                .setBlocks(2)
                .putParameters(
                        "points", ParameterValue.newBuilder().setWhole(15).build())
                .putAllParameters(parameters)
                .build();
    }

    private static ParameterValue text(String value) {
        return ParameterValue.newBuilder().setText(value).build();
    }

    static Stream<JobDescription> ofAllKinds() {
        return Stream.of(
                job("poisson3d", Map.of("method", text("Relaxation"))),
                job("poisson3d", Map.of()),
                job(
                        "heat2d-implicit",
                        Map.of(
                                "steps",
                                ParameterValue.newBuilder().setWhole(3).build(),
                                "stepLength",
                                ParameterValue.newBuilder().setReal(0.001).build())));
    }

    @ParameterizedTest
    @MethodSource("ofAllKinds")
    void computesItsBlockAndHandsItsStateOver(JobDescription job) throws InvalidProblemException {
        OpenedProblem problem = OpenedProblem.open(job);
        List<BlockState> states = new ArrayList<>();
        new WarmupIteration(problem.model(), problem.decomposition(), 1, states::add).run();
        assertEquals(1, states.size());
        assertTrue(states.getFirst().iteration() > 0, "it has iterated");
    }
}
