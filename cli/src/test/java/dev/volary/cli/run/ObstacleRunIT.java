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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real worker processes solve the obstacle problem while a daemon is killed with signal 9. */
class ObstacleRunIT {
    /** Some 700 iterations, of 15 ms each: a daemon is killed once or twice before the end. */
    private static final String MANIFEST = """
            apiVersion: volary.dev/v1alpha1
            kind: IterativeJob
            metadata: {name: obstacle}
            spec:
              problem: {type: obstacle3d, parameters: {points: 31, data: Membrane, method: Relaxation}}
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
                folder, List.of(), manifest, "--json", "--pace", "15ms", "--kill", "1", "--every", "5s", "--seed",
                "2")) {
            assertEquals(0, run.status(), run.said());
            ZarrGroup result = ZarrGroup.open(run.output().resolve("result.zarr"));
            assertTrue(ResultAttributes.of(result.attributes()).certified());
            assertEquals(SUM, Arrays.stream(run.result()).sum(), 0.1);
            List<JsonNode> lines = lines(run);
            assertTrue(lines.stream().anyMatch(ObstacleRunIT::isLoss), run.said());
            assertAllBlocksContinue(lines);
        }
    }

    /** A daemon that has computed continues: each line has more iterations than the last one at least 3 s before it. */
    private static void assertAllBlocksContinue(List<JsonNode> lines) {
        Map<String, Deque<Row>> rows = new HashMap<>();
        int compared = 0;
        for (JsonNode line : lines) {
            double time = line.path("time_s").asDouble();
            for (JsonNode json : line.path("daemons")) {
                String name = json.path("name").asText();
                Deque<Row> earlier = rows.computeIfAbsent(name, _ -> new ArrayDeque<>());
                Row row = new Row(
                        time, json.path("blocks"), json.path("iterations").asLong());
                boolean computes = json.path("state").asText().equals("COMPUTING");
                if (!computes || row.begins(earlier)) {
                    earlier.clear();
                }
                if (computes) {
                    compared += isCompared(name, earlier, row) ? 1 : 0;
                }
            }
        }
        assertTrue(compared > 2, "too few lines about daemons that go on: " + compared);
    }

    /** Compares a line with the last one at least 3 s before it, if there is one, and keeps it for later ones. */
    private static boolean isCompared(String name, Deque<Row> earlier, Row row) {
        Row last = null;
        while (!earlier.isEmpty() && row.time - earlier.getFirst().time >= LONG_ENOUGH_SECONDS) {
            last = earlier.removeFirst();
        }
        earlier.addLast(row);
        if (last == null) {
            return false;
        }
        double since = last.time;
        assertTrue(
                row.iterations > last.iterations,
                () -> name + " stood still from " + since + " s to " + row.time + " s");
        return true;
    }

    /** What was said of a daemon that computes. */
    private record Row(double time, JsonNode blocks, long iterations) {
        /** Whether the blocks are new to the daemon, or had not iterated there before this line. */
        boolean begins(Deque<Row> earlier) {
            return !earlier.isEmpty()
                    && (!blocks.equals(earlier.getLast().blocks)
                            || (earlier.size() == 1 && iterations == earlier.getLast().iterations));
        }
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
