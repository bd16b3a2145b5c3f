// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real worker processes solve problems by multigrid in rounds. */
class RoundsRunIT {
    private static final Pattern ITERATIONS = Pattern.compile("iterations +(\\d+) of all blocks");
    /** Ten rounds are enough; the last ones pass while the snapshot is evaluated. Point relaxation needs thousands. */
    private static final int MOST_ITERATIONS = 40;

    private static final int SOME_ITERATIONS = 3;
    private static final Duration BOUND = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    @Test
    void aFewRoundsSufficeForTwoDaemons() throws Exception {
        try (StartedRun run = StartedRun.of(folder, List.of(), manifest(31, 2, 2, "Asynchronous"))) {
            assertCertified(run, 2);
        }
    }

    @Test
    void fourBlocksOnTwoDaemonsWorkInRoundsToo() throws Exception {
        try (StartedRun run = StartedRun.of(folder, List.of(), manifest(31, 4, 2, "Asynchronous"))) {
            assertCertified(run, 4);
        }
    }

    @Test
    void contactWithAnObstacleIsFoundInRounds() throws Exception {
        try (StartedRun run = StartedRun.of(
                folder, List.of(), manifest("{type: obstacle3d, parameters: {points: 31}}", 2, 2, "Asynchronous"))) {
            assertCertified(run, 2);
        }
    }

    @Test
    void everyTimeStepTakesAFewRounds() throws Exception {
        try (StartedRun run = StartedRun.of(
                folder,
                List.of(),
                manifest("{type: heat2d-implicit, parameters: {points: 63, steps: 3}}", 2, 2, "Asynchronous"))) {
            assertCertified(run, 2);
        }
    }

    @Test
    void inLockStepEveryIterationIsARound() throws Exception {
        try (StartedRun run = StartedRun.of(folder, List.of(), manifest(31, 2, 2, "Synchronous"))) {
            assertCertified(run, 2);
        }
    }

    /** From the problem's start values it takes 9 rounds (RedundantRoundsTest). */
    @Test
    void aJobThatStartsFromTheResultOfAnotherNeedsAlmostNoRounds() throws Exception {
        try (StartedRun run = StartedRun.of(folder, List.of(), manifest(31, 2, 2, "Asynchronous"))) {
            assertCertified(run, 2);
        }
        Path again = Files.writeString(
                folder.resolve("again.yaml"),
                Files.readString(manifest(31, 4, 2, "Asynchronous"))
                        + "  inputs: [{name: first, path: out}]\n  initialGuess: \"first:result.zarr\"\n");
        try (StartedRun run = StartedRun.into(folder.resolve("again"), folder, List.of(), again)) {
            assertCertified(run, 4);
            int each = iterations(run) / 4;
            assertTrue(each <= 4, each + " iterations of each block: " + run.said());
        }
    }

    /** A round takes 1 s, so that a daemon dies in the middle of the job. */
    @Test
    void aKilledDaemonDelaysTheRoundsAndNothingElse() throws Exception {
        try (StartedRun run = StartedRun.of(
                folder, StartedRun.TRACED, manifest(31, 4, 4, "Asynchronous"), "--pace", "1s", "--threads", "2")) {
            await().atMost(BOUND)
                    .until(() -> run.marks("daemon-1", "sample").stream()
                            .anyMatch(mark -> Long.parseLong(mark[4]) >= SOME_ITERATIONS));
            run.worker("daemon-1").destroyForcibly();
            assertCertified(run, 4);
            assertTrue(run.said().contains("daemon-1 is declared dead"), run.said());
        }
    }

    private Path manifest(int n, int blocks, int daemons, String scheme) throws IOException {
        return manifest("{type: poisson3d, parameters: {points: %d}}".formatted(n), blocks, daemons, scheme);
    }

    private Path manifest(String problem, int blocks, int daemons, String scheme) throws IOException {
        return Files.writeString(folder.resolve("job.yaml"), """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: rounds}
                spec:
                  problem: %s
                  scheme: %s
                  blocks: %d
                  daemons: {replicas: %d}
                  spawners: {replicas: 1}
                  convergence: {tolerance: "1e-8"}
                """.formatted(problem, scheme, blocks, daemons));
    }

    private static void assertCertified(StartedRun run, int blocks) throws Exception {
        assertEquals(0, run.status(), run.said());
        assertTrue(ResultAttributes.of(
                        ZarrGroup.open(run.output().resolve("result.zarr")).attributes())
                .certified());
        int each = iterations(run) / blocks;
        assertTrue(each <= MOST_ITERATIONS, each + " iterations of each block: " + run.said());
    }

    private static int iterations(StartedRun run) throws IOException {
        Matcher iterations = ITERATIONS.matcher(run.said());
        assertTrue(iterations.find(), run.said());
        return Integer.parseInt(iterations.group(1));
    }
}
