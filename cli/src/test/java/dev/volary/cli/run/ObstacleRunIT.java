// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real worker processes solve the obstacle problem while a daemon is killed with signal 9. */
class ObstacleRunIT {
    /** Some 650 iterations, of 20 ms each: a daemon is killed three times at the most. */
    private static final String MANIFEST = """
            apiVersion: volary.dev/v1alpha1
            kind: IterativeJob
            metadata: {name: obstacle}
            spec:
              problem: {type: obstacle3d, parameters: {n: 31, data: Membrane}}
              daemons: {replicas: 4}
              spawners: {replicas: 1}
              convergence: {tolerance: "1e-7"}
            """;

    /** Sum of the heights (docs/explanation/problems.md). */
    private static final double SUM = -6438.2126216;

    /** Between two looks at a daemon that computes, on a busy machine too. */
    private static final double LONG_ENOUGH_SECONDS = 3;

    @TempDir
    Path folder;

    @Test
    void aKilledDaemonsBlockGoesOnElsewhereAndTheOthersNeverStop() throws Exception {
        Path manifest = Files.writeString(folder.resolve("job.yaml"), MANIFEST);
        try (StartedRun run = StartedRun.of(
                folder, List.of(), manifest, "--json", "--pace", "20ms", "--kill", "1", "--every", "5s", "--seed",
                "2")) {
            assertEquals(0, run.status(), run.said());
            ZarrGroup result = ZarrGroup.open(run.output().resolve("result.zarr"));
            assertTrue(ResultAttributes.of(result.attributes()).certified());
            double[] heights = result.array(result.arrays().getFirst()).readAll();
            assertEquals(SUM, Arrays.stream(heights).sum(), 0.1);
            List<JsonNode> lines = lines(run);
            assertTrue(lines.stream().anyMatch(ObstacleRunIT::isLoss), run.said());
            assertEveryoneComputes(lines);
        }
    }

    /** Whoever computes in two lines with enough time between them has done more iterations in the later one. */
    private static void assertEveryoneComputes(List<JsonNode> lines) {
        Map<String, JsonNode> rows = new HashMap<>();
        Map<String, Double> times = new HashMap<>();
        int compared = 0;
        for (JsonNode line : lines) {
            double time = line.path("time_s").asDouble();
            for (JsonNode row : line.path("daemons")) {
                String name = row.path("name").asText();
                JsonNode earlier = rows.get(name);
                boolean computes = row.path("state").asText().equals("COMPUTING");
                if (!computes || earlier == null || !earlier.path("blocks").equals(row.path("blocks"))) {
                    rows.put(name, row);
                    times.put(name, time);
                } else if (time - times.getOrDefault(name, time) >= LONG_ENOUGH_SECONDS) {
                    long before = earlier.path("iterations").asLong();
                    assertTrue(
                            row.path("iterations").asLong() > before,
                            () -> name + " stood still from " + times.get(name) + " s to " + time + " s");
                    compared++;
                    rows.put(name, row);
                    times.put(name, time);
                }
            }
        }
        assertTrue(compared > 4, "too few lines about daemons: " + compared);
    }

    private static boolean isLoss(JsonNode line) {
        return line.path("text").asText().contains("is declared dead");
    }

    private static List<JsonNode> lines(StartedRun run) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        List<JsonNode> lines = new ArrayList<>();
        for (String line : run.said().lines().toList()) {
            if (line.startsWith("{")) {
                lines.add(mapper.readTree(line));
            }
        }
        return lines;
    }
}
