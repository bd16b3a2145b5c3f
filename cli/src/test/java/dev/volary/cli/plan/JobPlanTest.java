// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.cli.check.JobPreflight;
import dev.volary.cli.check.ProblemCatalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The numbers of a plan, for a chain of 100 unknowns in four blocks on two daemons. */
class JobPlanTest {
    @TempDir
    Path folder;

    @Test
    void countsBlocksMemoryAndTraffic() throws Exception {
        JobPlan plan = plan("parameters: {points: 100}");
        // one double and a 64-byte header on each link; the middle of the chain has two neighbors
        assertEquals(
                new JobPlan.BlockPlan(0, 0, 25, 400, 25, 1, 72, 72),
                plan.blocks().getFirst());
        assertEquals(
                new JobPlan.BlockPlan(2, 1, 25, 400, 25, 2, 144, 144),
                plan.blocks().get(2));
        assertEquals(6, plan.links().size());
        assertEquals(6 * 72, plan.bytesPerIteration());
        // blocks 0 and 1 share a daemon, and so do 2 and 3: four of the six links never leave a process
        assertEquals(4 * 72, plan.localBytesPerIteration());
        assertArrayEquals(new long[] {800, 800}, plan.bytesOfDaemons());
    }

    @Test
    void predictsSweepsFromTheCertificate() throws Exception {
        // ln(1e-6) / ln(0.9) = 131.1 (docs/explanation/asynchronous-iteration.md, "predicted iterations": at most 132)
        assertEquals(132, plan("parameters: {points: 100}").sweeps().orElseThrow());
    }

    @Test
    void predictsNothingWithoutACertificate() throws Exception {
        assertEquals(true, plan("parameters: {upper: 1.1}").sweeps().isEmpty());
    }

    @Test
    void usesNoMoreDaemonsThanThereAreBlocks() throws Exception {
        Path file = write("parameters: {points: 100}", "{replicas: 9}");
        assertEquals(
                4, JobPlan.of(JobPreflight.check(file, ProblemCatalogue.load())).daemons());
    }

    @Test
    void theJsonTreeHoldsEveryBlockAndLink() throws Exception {
        var json = plan("parameters: {points: 100}").json(Optional.empty());
        assertEquals(4, ((List<?>) json.getOrDefault("blocks", List.of())).size());
        assertEquals(6, ((List<?>) json.getOrDefault("links", List.of())).size());
        assertEquals(132.0, json.get("predictedSweeps"));
    }

    private JobPlan plan(String parameters) throws Exception {
        return JobPlan.of(JobPreflight.check(write(parameters, "{replicas: 2}"), ProblemCatalogue.load()));
    }

    private Path write(String parameters, String daemons) throws Exception {
        return Files.writeString(folder.resolve("job.yaml"), """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: chain}
                spec:
                  problem: {type: test-chain, %s}
                  blocks: 4
                  daemons: %s
                """.formatted(parameters, daemons));
    }
}
