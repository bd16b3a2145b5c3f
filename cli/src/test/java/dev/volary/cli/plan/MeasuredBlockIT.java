// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.cli.check.JobPreflight;
import dev.volary.cli.check.ProblemCatalogue;
import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.local.WorkerJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredBlockIT {
    @TempDir
    Path folder;

    @Test
    void aProcessLikeADaemonsMeasuresABlock() throws Exception {
        Path file = Files.writeString(folder.resolve("job.yaml"), """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: measured}
                spec:
                  problem: {type: poisson3d, parameters: {points: 31}}
                  blocks: 2
                  daemons: {replicas: 2}
                  convergence: {tolerance: "1e-8"}
                """);
        ValidatedJob checked = JobPreflight.check(file, ProblemCatalogue.load());
        JobPlan plan = JobPlan.of(checked);
        MeasuredBlock measured = MeasuredBlock.of(checked, plan, WorkerJvm.installed(WorkerJvm.Length.LARGE));
        assertEquals(plan.hardestBlock().id(), measured.block());
        assertTrue(measured.iterations() > 10, measured.toString());
        double seconds = measured.predictedSeconds(checked, plan, 1).orElseThrow();
        assertTrue(seconds > 0 && seconds < 60, seconds + " s");
        assertTrue(measured.heapOfFullestDaemon(plan) > 8L * plan.hardestBlock().unknowns(), measured.toString());
    }
}
