// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.volary.cli.Volary;
import dev.volary.cli.console.Style;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A small heat problem in four blocks, which takes about 0.3 s of virtual time with iterations of 1 ms. */
class SimulateCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void reportsHowAJobEndsInVirtualTime() throws IOException {
        assertEquals(0, run("--seed", "7"), err::toString);
        assertTrue(out.toString().startsWith("heat: certified\n"), out.toString());
        assertTrue(out.toString().contains("  faults              no faults\n"), out.toString());
        assertTrue(out.toString().contains("  invariants          all held\n"), out.toString());
        assertTrue(out.toString().contains("  seed                7\n"), out.toString());
        assertEquals("", err.toString());
    }

    @Test
    void theSameSeedGivesTheSameOutputAndAnotherOneAnother() throws IOException {
        String[] arguments = {"--json", "--pace", "5ms", "--kill", "1", "--every", "300ms", "--spawners", "--seed", "3"
        };
        assertEquals(0, run(arguments), err::toString);
        String first = out.toString();
        assertEquals(0, run(arguments));
        assertEquals(first, out.toString());
        arguments[arguments.length - 1] = "4";
        assertEquals(0, run(arguments));
        assertNotEquals(first, out.toString());
    }

    @Test
    void killsLeaveTheRightAnswer() throws IOException {
        assertEquals(
                0, run("--json", "--runs", "4", "--seed", "1", "--pace", "5ms", "--kill", "1", "--every", "300ms"));
        List<JsonNode> lines = lines();
        assertEquals(5, lines.size());
        int killed = 0;
        for (JsonNode run : lines.subList(0, 4)) {
            assertEquals("certified", run.get("outcome").asText(), run::toString);
            assertTrue(run.get("residual").asDouble() <= 1e-3, run::toString);
            assertEquals(0, run.get("violations").size(), run::toString);
            killed += run.get("daemons_killed").asInt();
        }
        assertTrue(killed >= 4, () -> "too few kills in " + out);
        assertEquals(4, lines.getLast().get("certified").asInt());
        assertEquals(0, lines.getLast().get("violating").asInt());
    }

    @Test
    void mortalDaemonsOfALargerJobAreReplaced() throws IOException {
        int code = run("--json", "--daemons", "40", "--mtbf", "20s", "--seed", "2", "--pace", "8ms");
        assertEquals(0, code, err::toString);
        JsonNode run = lines().getFirst();
        assertEquals(40, run.get("blocks").asInt());
        assertEquals(2, run.get("spawners").asInt());
        assertTrue(run.get("daemons_killed").asInt() > 1, run::toString);
        // a process on a living host; in a job this young no daemon is monitored yet
        assertTrue(run.get("detection_median_s").asDouble() < 1, run::toString);
        assertTrue(
                run.get("replaced_by_standby").asInt()
                                + run.get("replaced_by_survivor").asInt()
                        > 0,
                run::toString);
        assertTrue(
                err.toString().contains("decomposed into 40 blocks instead of 4, one for each daemon"), err.toString());
    }

    @Test
    void aDeadlineThatComesFirstIsExitCodeThree() throws IOException {
        assertEquals(3, runOf("activeDeadlineSeconds: 1", "--pace", "100ms", "--seed", "1"), out::toString);
        assertTrue(
                out.toString().contains("spec.activeDeadlineSeconds expired before the residual reached the tolerance"),
                out.toString());
    }

    @Test
    void refusesWhatWouldComputeForLongerThanItMay() throws IOException {
        assertEquals(2, run("--budget", "1ms"), out::toString);
        assertTrue(err.toString().contains("error: --budget is 1 ms, but about"), err.toString());
        assertTrue(err.toString().contains("raise --budget or spec.convergence.tolerance"), err.toString());
    }

    @Test
    void theReportedCommandRepeatsARun() throws IOException {
        assertEquals(0, run("--json", "--runs=2", "--seed", "5", "--pace", "5ms", "--kill", "1", "--every", "400ms"));
        JsonNode second = lines().get(1);
        assertEquals(6, second.get("seed").asInt());
        String again = second.get("again").asText();
        assertEquals("volary simulate " + manifest("") + " --json --pace 5ms --kill 1 --every 400ms --seed 6", again);
        String[] arguments = again.substring("volary ".length()).split(" ", -1);
        assertEquals(0, execute(arguments));
        assertEquals(second, lines().getFirst());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            --daemons 0                   | --daemons is 0, must be from 1 to 10000
            --daemons 20000               | --daemons is 20000, must be from 1 to 10000
            --daemons 31                  | --daemons is 31, with a block for each of them, but blocks is 31, but a grid of 16 × 16 points cannot be cut into that many boxes; use 30; or refine the problem
            --runs 0                      | --runs is 0, must be from 1 to 1000000
            --pace 0ms                    | --pace is 0ms, must be longer than zero; write it as 10ms or 0.5s
            --pace quick                  | --pace is quick, which is not a time; write it as 10ms or 0.5s
            --budget -1s                  | --budget is -1s, which is not a time; write it as 10ms or 0.5s
            --mtbf soon                   | --mtbf is soon, which is not a time; write it as 10ms or 0.5s
            --mtbf 1s --kill 1 --every 1s | --mtbf is 1s, but --kill is given too; remove one of them, since they are two failure models
            --silent                      | --silent requires failures; add --mtbf 10m or --kill 1 --every 30s, or remove it
            --kill 9 --every 1s           | --kill 9 would leave none of 4 daemons (replicas and standbys); lower it or raise spec.daemons.standbys
            --per-zone                    | --per-zone requires --kill; add --kill 1 --every 30s, or remove it
            --faults rate=1MB/s           | --faults is rate=1MB/s, but the simulator does not support rate; use delay, loss, duplicate and reorder
            --faults lost=1               | --faults: faults: 'lost=1' is unknown; known are delay, loss, duplicate, reorder, rate and partition
            """)
    void badOptionsNameOptionValueAndRemedy(String arguments, String message) throws IOException {
        assertEquals(2, run(arguments.split(" ", -1)));
        assertEquals("error: " + message + "\n", err.toString());
        assertEquals("", out.toString());
    }

    private int run(String... arguments) throws IOException {
        return runOf("", arguments);
    }

    private int runOf(String spec, String... arguments) throws IOException {
        String[] all = new String[arguments.length + 2];
        all[0] = "simulate";
        all[1] = manifest(spec).toString();
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return execute(all);
    }

    private int execute(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Volary.commandLine(Style.PLAIN)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private List<JsonNode> lines() throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : out.toString().lines().toList()) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }

    private Path manifest(String spec) throws IOException {
        return Files.writeString(folder.resolve("job.yaml"), """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: heat}
                spec:
                  problem: {type: heat2d, parameters: {points: 16, method: PointJacobi}}
                  convergence: {tolerance: "1e-3"}
                  %s
                """.formatted(spec));
    }
}
