// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.job.manifest.ManifestError;
import dev.volary.job.spec.GroupBound;
import dev.volary.mesh.job.ContainerHeap;
import dev.volary.simulator.SimulatedJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterCheckTest {
    private static final long MEBI = 1L << 20;

    @TempDir
    Path folder;

    @Test
    void aResultThatTheSpawnersCannotHoldIsRefusedWithTheMemoryThatItNeeds() throws Exception {
        assertEquals(
                "spec.spawners.template leaves a spawner a heap of 288 MiB, but a result of 67108864 unknowns (512 MiB) needs"
                        + " 1004 MiB; set resources.limits.memory of its container \"worker\" to 1339Mi or more",
                error(8192, "").orElseThrow().message());
    }

    @Test
    void theMemoryThatTheMessageNamesIsEnough() throws Exception {
        String template =
                "  spawners: {template: {spec: {containers: [{name: worker, resources: {limits: {memory: %s}}}]}}}\n";
        assertEquals(Optional.empty(), error(8192, template.formatted("1339Mi")));
        assertEquals(true, error(8192, template.formatted("1330Mi")).isPresent());
    }

    @Test
    void aSmallResultFitsIntoDefaultSpawners() throws Exception {
        assertEquals(Optional.empty(), error(1000, ""));
    }

    @ParameterizedTest
    @CsvSource({"512Mi, 512", "1Gi, 1024", "1073741824, 1024", "1.5Gi, 1536", "1Ti, 1048576"})
    void readsQuantitiesAsKubernetesDoes(String memory, long mebibytes) {
        assertEquals(
                OptionalLong.of(ContainerHeap.heapBytes(mebibytes * MEBI)), ClusterCheck.spawnerHeap(template(memory)));
    }

    @Test
    void aTemplateThatSetsTheOptionsOfTheVirtualMachineDecidesItself() {
        assertEquals(
                OptionalLong.empty(),
                ClusterCheck.spawnerHeap(Map.of(
                        "spec",
                        Map.of(
                                "containers",
                                List.of(Map.of(
                                        "name",
                                        "worker",
                                        "env",
                                        List.of(Map.of("name", "JDK_JAVA_OPTIONS", "value", "-Xmx4g"))))))));
    }

    @Test
    void manifestsAndTheSimulatorKnowTheSameBound() {
        assertEquals(SimulatedJob.GROUP, GroupBound.DAEMONS);
    }

    private static Map<String, Object> template(String memory) {
        return Map.of(
                "spec",
                Map.of(
                        "containers",
                        List.of(Map.of("name", "worker", "resources", Map.of("limits", Map.of("memory", memory))))));
    }

    private Optional<ManifestError> error(int side, String more) throws Exception {
        Path file = Files.writeString(folder.resolve("job.yaml"), """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: job}
                spec:
                  problem: {type: heat2d, parameters: {n: %d}}
                  convergence: {tolerance: "1e-3"}
                """.formatted(side) + more);
        return ClusterCheck.error(JobPreflight.check(file, ProblemCatalogue.load()));
    }
}
