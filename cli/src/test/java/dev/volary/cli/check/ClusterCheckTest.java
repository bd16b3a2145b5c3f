// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.manifest.ManifestError;
import dev.volary.job.manifest.ManifestException;
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
    private static final String TWO_DAEMONS = "  daemons: {replicas: 2}\n";

    @TempDir
    Path folder;

    @Test
    void backupsThatDaemonsAloneCannotHoldAreRefusedWithTheMemoryThatSpawnersNeed() throws Exception {
        assertEquals(
                "spec.spawners.template leaves a spawner a heap of 288 MiB, but a job of 67108864 unknowns needs 440 MiB,"
                        + " 256 MiB of it for backups, for 2 daemons alone cannot hold 2 copies of each block; set"
                        + " resources.limits.memory of its container \"worker\" to 686Mi or more, take more daemons, or lower"
                        + " spec.checkpoint.copies",
                error(8192, TWO_DAEMONS).orElseThrow().message());
    }

    @Test
    void theMemoryThatTheMessageNamesIsEnough() throws Exception {
        String template =
                "  spawners: {template: {spec: {containers: [{name: worker, resources: {limits: {memory: %s}}}]}}}\n";
        assertEquals(Optional.empty(), error(8192, largeDaemons(2) + template.formatted("686Mi")));
        assertEquals(
                true, error(8192, largeDaemons(2) + template.formatted("680Mi")).isPresent());
    }

    @Test
    void aResultOfTwoGibibytesFitsIntoDefaultSpawnersWhichLeaveItsBackupsToTheDaemons() throws Exception {
        assertEquals(Optional.empty(), error(16_384, largeDaemons(4)));
    }

    @Test
    void blocksThatDoNotFitIntoTheDaemonsAreRefusedWithTheMemoryThatTheyNeed() throws Exception {
        String daemons =
                "  daemons: {replicas: 4, template: {spec: {containers: [{name: worker, resources: {limits: {memory:"
                        + " %s}}}]}}}\n";
        assertEquals(
                "spec.daemons.template leaves a daemon a heap of 736 MiB, but 4 blocks on 4 daemons need 1538 MiB, the largest"
                        + " 385 MiB, and each daemon 1278 MiB beside them for copies; set resources.limits.memory of its"
                        + " container \"worker\" to 2217Mi or more, or raise spec.daemons.replicas and spec.blocks",
                error(8192, daemons.formatted("1Gi")).orElseThrow().message());
        assertTrue(error(8192, daemons.formatted("2216Mi")).isPresent());
        assertEquals(Optional.empty(), error(8192, daemons.formatted("2217Mi")));
    }

    @Test
    void ofFewDaemonsEachNeedsMemoryForSeveralBlocks() throws Exception {
        String daemons =
                "  blocks: 8\n  daemons: {replicas: %d, template: {spec: {containers: [{name: worker, resources:"
                        + " {limits: {memory: 2Gi}}}]}}}\n";
        assertTrue(error(8192, daemons.formatted(2)).isPresent());
        assertEquals(Optional.empty(), error(8192, daemons.formatted(8)));
    }

    @Test
    void workerGroupsHaveTemplatesOfTheirOwn() throws Exception {
        assertEquals(
                Optional.empty(),
                error(8192, largeDaemons(4).replace("16Gi", "64Mi") + "  workerGroups: [{name: spot}]\n"));
    }

    /** 23170² values of 8 bytes are 4 GiB. */
    @Test
    void aBlockWhoseStateIsTooLargeForABackupIsRefused() throws Exception {
        ManifestException refused = assertThrows(ManifestException.class, () -> error(23_170, "  blocks: 2\n"));
        assertEquals(
                List.of(
                        "spec.blocks is 2, but block 0 then has a state of 2048 MiB, and a backup holds at most 2031 MiB; raise"
                                + " it to 3 or more, or set spec.checkpoint.copies: 0"),
                refused.errors().stream().map(ManifestError::message).toList());
    }

    @Test
    void aLimitOfTheDiskThatTheResultWouldExceedIsRefused() throws Exception {
        String template = largeDaemons(4)
                + "  spawners: {template: {spec: {containers: [{name: worker, resources: {limits: {ephemeral-storage: %s}}}]}}}\n";
        assertEquals(
                "spec.spawners.template limits the disk of a spawner to 300 MiB, but a result of 123 MiB needs 367 MiB while"
                        + " it is assembled; set resources.limits.ephemeral-storage of its container \"worker\" to 367Mi or"
                        + " more, or remove it",
                error(4000, template.formatted("300Mi")).orElseThrow().message());
        assertEquals(Optional.empty(), error(4000, template.formatted("367Mi")));
    }

    @Test
    void aJobWithADeadlineNeedsDiskForItsBestAnswerToo() throws Exception {
        String disk = largeDaemons(4) + """
                  spawners: {template: {spec: {containers: [{name: worker, resources: {limits: {ephemeral-storage: %s}}}]}}}
                  activeDeadlineSeconds: 60
                """;
        assertTrue(error(4000, disk.formatted("367Mi")).orElseThrow().message().contains("489 MiB"));
        assertEquals(Optional.empty(), error(4000, disk.formatted("489Mi")));
    }

    @Test
    void aSmallResultFitsIntoDefaultSpawners() throws Exception {
        assertEquals(Optional.empty(), error(1000, ""));
    }

    @ParameterizedTest
    @CsvSource({"512Mi, 512", "1Gi, 1024", "1073741824, 1024", "1.5Gi, 1536", "1Ti, 1048576"})
    void readsQuantitiesAsKubernetesDoes(String memory, long mebibytes) {
        assertEquals(OptionalLong.of(ContainerHeap.heapBytes(mebibytes * MEBI)), ClusterCheck.heap(template(memory)));
    }

    @Test
    void aTemplateThatSetsTheOptionsOfTheVirtualMachineDecidesItself() {
        assertEquals(
                OptionalLong.empty(),
                ClusterCheck.heap(Map.of(
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

    private static String largeDaemons(int count) {
        return "  daemons: {replicas: " + count
                + ", template: {spec: {containers: [{name: worker, resources: {limits: {memory: 16Gi}}}]}}}\n";
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
                  problem: {type: heat2d, parameters: {points: %d, method: PointJacobi}}
                  convergence: {tolerance: "1e-3"}
                """.formatted(side) + more);
        return ClusterCheck.error(JobPreflight.check(file, ProblemCatalogue.load()));
    }
}
