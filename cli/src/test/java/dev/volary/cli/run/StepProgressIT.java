// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Time steps of real worker processes, killed with signal 9 around commits. */
class StepProgressIT {
    private static final int N = 63;
    private static final int STEPS = 5;
    private static final double STEP_LENGTH = 5e-4;
    private static final double ALLOWED = 1e-8;

    @TempDir
    Path folder;

    @Test
    void everyStepIsCommittedOnceInBothSchemes() throws Exception {
        for (String scheme : List.of("Asynchronous", "Synchronous")) {
            Path place = Files.createDirectory(folder.resolve(scheme));
            try (StartedRun run = start(place, scheme, 1, "Local")) {
                isSequentialImplicitEuler(run, STEPS);
            }
        }
    }

    @Test
    void daemonsKilledAroundCommitsChangeNoStepOfTheAnswer() throws Exception {
        try (StartedRun run = start(folder, "Asynchronous", 2, "Local, everySteps: 2", "--pace", "20ms")) {
            for (int step : new int[] {1, 3}) {
                run.awaitSaid("step " + step + " of " + STEPS + " is committed");
                oldestDaemon(run).destroyForcibly();
            }
            isSequentialImplicitEuler(run, 2, 4, STEPS);
            assertTrue(run.said().contains("is declared dead"), run.said());
            assertFalse(Files.exists(run.output().resolve(".steps")));
        }
    }

    private static StartedRun start(Path place, String scheme, int copies, String result, String... options)
            throws IOException {
        Path manifest = Files.writeString(
                place.resolve("job.yaml"), """
                        apiVersion: volary.dev/v1alpha1
                        kind: IterativeJob
                        metadata: {name: cooling}
                        spec:
                          problem:
                            type: heat2d-implicit
                            parameters: {points: %d, steps: %d, stepLength: %s, method: PointJacobi, sweeps: 8}
                          blocks: 4
                          scheme: %s
                          daemons: {replicas: 3, standbys: 1}
                          spawners: {replicas: 1}
                          checkpoint: {copies: %d}
                          convergence: {tolerance: "1e-9"}
                          result: {destination: %s}
                        """.formatted(N, STEPS, STEP_LENGTH, scheme, copies, result));
        return StartedRun.of(place, List.of(), manifest, options);
    }

    /** The only spawner is started first. */
    private static ProcessHandle oldestDaemon(StartedRun run) {
        return run.workers().stream()
                .sorted(Comparator.comparingLong(ProcessHandle::pid))
                .skip(1)
                .findFirst()
                .orElseThrow();
    }

    /**
     * From sin(πx) sin(πy) with zero boundary values, s steps of implicit Euler give sin(πx) sin(πy)/(1 + Δt λ)ˢ, with
     * λ = 8/h² · sin²(πh/2), the eigenvalue of the five-point scheme.
     */
    private static void isSequentialImplicitEuler(StartedRun run, int... steps) throws Exception {
        assertEquals(0, run.status(), run.said());
        ZarrGroup group = ZarrGroup.open(run.output().resolve("result.zarr"));
        Map<String, Object> attributes = group.attributes();
        assertEquals(STEPS, ((Number) attributes.getOrDefault("step", 0)).intValue());
        assertEquals(STEPS, ((Number) attributes.getOrDefault("steps", 0)).intValue());
        double[] u = run.result();
        assertEquals(steps.length * N * N, u.length);
        for (int i = 0; i < steps.length; i++) {
            double error = error(Arrays.copyOfRange(u, i * N * N, (i + 1) * N * N), steps[i]);
            assertTrue(
                    error <= ALLOWED,
                    "step " + steps[i] + " is " + error + " off sequential implicit Euler: " + run.said());
        }
        assertEquals(List.of(1, 2, 3, 4), committed(run));
        await().atMost(Duration.ofSeconds(5)).until(() -> run.workers().isEmpty());
    }

    private static double error(double[] u, int step) {
        double h = 1.0 / (N + 1);
        double half = Math.sin(Math.PI * h / 2);
        double factor = Math.pow(1 + STEP_LENGTH * 8 / (h * h) * half * half, -step);
        double error = 0;
        for (int iy = 0; iy < N; iy++) {
            for (int ix = 0; ix < N; ix++) {
                double exact = factor * Math.sin(Math.PI * (ix + 1) * h) * Math.sin(Math.PI * (iy + 1) * h);
                error = Math.max(error, Math.abs(u[iy * N + ix] - exact));
            }
        }
        return error;
    }

    /** Time steps, as they were reported. */
    private static List<Integer> committed(StartedRun run) throws IOException {
        List<Integer> steps = new ArrayList<>();
        ObjectMapper json = new ObjectMapper();
        for (String line : Files.readAllLines(run.output().resolve("events.jsonl"))) {
            JsonNode event = json.readTree(line);
            if (event.toString().contains("\"step-committed\"")) {
                steps.add(event.findValue("step").asInt());
                assertTrue(event.findValue("residual").asDouble() <= 1e-9, line);
            }
        }
        return steps;
    }
}
