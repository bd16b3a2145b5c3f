// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.Style;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command from outside: what is printed where, and the exit code. */
class VolaryTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void validatesASoundManifest() throws IOException {
        assertEquals(0, run("validate", manifest("test-chain").toString()));
        assertTrue(out.toString().startsWith("valid: " + folder), out.toString());
        assertTrue(out.toString().contains("converges under every schedule, in about 132 sweeps"), out.toString());
        assertEquals("", err.toString());
    }

    @Test
    void badInputIsOneLineOnStandardErrorAndExitCodeTwo() throws IOException {
        Path file = manifest("test-chian");
        assertEquals(2, run("validate", file.toString()));
        assertTrue(err.toString().startsWith("error: " + file + ":5:19: spec.problem.type is"), err.toString());
        assertEquals(1, err.toString().lines().count());
        assertEquals("", out.toString());
    }

    @Test
    void aMissingManifestIsBadInput() {
        assertEquals(2, run("plan", folder.resolve("none.yaml").toString()));
        assertEquals("error: " + folder.resolve("none.yaml") + ": does not exist; check the path\n", err.toString());
    }

    @Test
    void anUnknownCommandIsBadInput() {
        assertEquals(2, run("valdate"));
        assertTrue(err.toString().contains("valdate"), err.toString());
        assertTrue(err.toString().contains("validate"), err.toString());
    }

    @Test
    void noCommandIsBadInput() {
        assertEquals(2, run());
        assertEquals("error: no command given\nSee volary --help.\n", err.toString());
    }

    @Test
    void planPrintsATableOrJson() throws IOException {
        assertEquals(0, run("plan", manifest("test-chain").toString()));
        assertTrue(out.toString().contains("chain: 100 unknowns in 4 blocks on 4 daemons"), out.toString());
        assertTrue(out.toString().contains("about 132 of each block"), out.toString());

        assertEquals(0, run("plan", "--json", manifest("test-chain").toString()));
        assertTrue(out.toString().contains("\"predictedSweeps\" : 132.0"), out.toString());
    }

    @Test
    void problemsAreListedAndDescribed() {
        assertEquals(0, run("problems"));
        assertTrue(out.toString().contains("A chain of unknowns for tests."), out.toString());

        assertEquals(0, run("problems", "test-chain"));
        assertTrue(
                out.toString().contains("a whole number from 1 to 1000000  100      Number of unknowns."),
                out.toString());
    }

    @Test
    void aProblemsSchemaHasTypesDefaultsAndNoOtherProperties() {
        assertEquals(0, run("problems", "test-chain", "--json"));
        assertTrue(out.toString().contains("\"title\" : \"test-chain\""), out.toString());
        assertTrue(out.toString().contains("\"additionalProperties\" : false"), out.toString());
        assertTrue(out.toString().contains("\"default\" : 100"), out.toString());
    }

    @Test
    void anUnknownProblemIsBadInput() {
        assertEquals(2, run("problems", "test-chan"));
        assertTrue(
                err.toString()
                        .startsWith("error: there is no problem named test-chan; did you mean test-chain? use one of"),
                err.toString());
    }

    @Test
    void plottingWhatIsNoResultIsBadInput() {
        assertEquals(2, run("plot", folder.toString()));
        assertEquals(
                "error: " + folder
                        + " is not a result: it contains no result.zarr; name the output folder of a finished run\n",
                err.toString());
    }

    @Test
    void helpListsEveryCommandAndTheExitCodes() {
        assertEquals(0, run("--help"));
        for (String command : new String[] {
            "validate", "plan", "simulate", "problems", "plot", "status", "fetch", "kill", "completion"
        }) {
            assertTrue(out.toString().contains("  " + command + " "), command);
        }
        for (ExitCode code : ExitCode.values()) {
            assertTrue(out.toString().contains(String.format("%3d  %s", code.code(), code.meaning())), code.name());
        }
    }

    @Test
    void completionKnowsTheCommandsInBothShells() {
        assertEquals(0, run("completion", "bash"));
        assertTrue(out.toString().startsWith("#!/usr/bin/env bash"), out.toString());
        assertTrue(out.toString().contains("validate"));
        assertEquals(0, run("completion", "zsh"));
        assertTrue(out.toString().startsWith("autoload -U +X compinit"), out.toString());
        assertEquals(2, run("completion", "fish"));
    }

    @Test
    void colorsAreForTerminalsWhoseUserDoesNotObject() {
        assertTrue(Style.detect(true, Map.of("TERM", "xterm")).color());
        assertFalse(Style.detect(false, Map.of()).color());
        assertFalse(Style.detect(true, Map.of("NO_COLOR", "1")).color());
        assertFalse(Style.detect(true, Map.of("TERM", "dumb")).color());
        assertEquals("x", Style.PLAIN.red("x"));
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Volary.commandLine(Style.PLAIN)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private Path manifest(String problem) throws IOException {
        return Files.writeString(folder.resolve("job.yaml"), """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: chain}
                spec:
                  problem: {type: %s}
                """.formatted(problem));
    }
}
