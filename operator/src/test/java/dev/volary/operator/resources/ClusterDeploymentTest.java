// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.mesh.v1.DetectorKind;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ToleranceNorm;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterDeploymentTest {
    @Test
    void workersReadBackWhatTheManifestSays() throws InvalidProtocolBufferException {
        IterativeJob job = WorkerPodTest.job("""
                daemons: {replicas: 3, min: 2}
                convergence: {tolerance: "1e-8", norm: Absolute}
                activeDeadlineSeconds: 90
                chaos: {allowed: true, pace: 20ms}
                inputs: [{name: in, persistentVolumeClaim: {claimName: data}}]
                """);
        JobDescription.Builder read = JobDescription.newBuilder();
        JsonFormat.parser()
                .merge(ClusterDeployment.configMap(job, "1").getData().get(ClusterDeployment.KEY), read);
        JobDescription description = read.build();
        assertEquals(ClusterDeployment.describe(job, "1"), description);
        assertEquals("1e-8", description.getTolerance());
        assertEquals(ToleranceNorm.NORM_ABSOLUTE, description.getNorm());
        assertEquals(3, description.getBlocks());
        assertEquals(2, description.getExpectedDaemons());
        assertEquals(3, description.getWantedDaemons());
        assertEquals(90_000, description.getDeadlineMillis());
        assertEquals("/var/lib/volary/inputs/in", description.getInputsOrThrow("in"));
        assertEquals(Map.of("*", 20_000L), description.getIterationMicrosMap());
        assertEquals(63, description.getParametersOrThrow("points").getWhole());
        assertEquals(1.5, description.getParametersOrThrow("omega").getReal());
        assertEquals("Series", description.getParametersOrThrow("boundary").getText());
    }

    @Test
    void everyFieldOfConvergenceAndFailurePolicyReachesTheWorkers() {
        JobDescription description = ClusterDeployment.describe(WorkerPodTest.job("""
                convergence: {detector: TreeVerification, acceptRisk: true}
                failurePolicy: {blockAttempts: 5}
                """), "1");
        assertEquals(DetectorKind.DETECTOR_TREE_VERIFICATION, description.getDetector());
        assertTrue(description.getCheckProblem());
        assertTrue(description.getAcceptRisk());
        assertEquals(5, description.getBlockAttempts());
    }

    @Test
    void workersFindTheCredentialsOfObjectStoresWhereTheirPodsMountThem() {
        String spec = """
                inputs:
                - {name: local, persistentVolumeClaim: {claimName: data}}
                - {name: in, objectStore: {bucket: inputs%1$s}, files: [{name: a, sha256: x}]}
                checkpoint: {objectStore: {bucket: state%1$s}}
                restoreFrom: {objectStore: {bucket: state%1$s}, job: cold}
                result: {destination: ObjectStore, objectStore: {bucket: results%1$s}}
                """;
        JobDescription given = ClusterDeployment.describe(WorkerPodTest.job(spec.formatted(", secretName: s3")), "1");
        assertEquals(
                "/etc/volary/input-store-1", given.getStoredInputs(0).getStore().getCredentialsFolder());
        assertEquals("/etc/volary/checkpoint-store", given.getCheckpointStore().getCredentialsFolder());
        assertEquals("/etc/volary/restore-store", given.getRestoreStore().getCredentialsFolder());
        assertEquals("/etc/volary/result-store", given.getResultStore().getCredentialsFolder());
        assertEquals("heat", given.getCheckpointStore().getPrefix());
        assertEquals("cold", given.getRestoreStore().getPrefix());
        assertEquals(Map.of("local", "/var/lib/volary/inputs/local"), given.getInputsMap());
        JobDescription none = ClusterDeployment.describe(WorkerPodTest.job(spec.formatted("")), "1");
        assertEquals("", none.getStoredInputs(0).getStore().getCredentialsFolder());
        assertEquals("", none.getCheckpointStore().getCredentialsFolder());
    }

    @Test
    void aSynchronousJobKeepsItsCopiesToo() {
        JobDescription description =
                ClusterDeployment.describe(WorkerPodTest.job("scheme: Synchronous\ncheckpoint: {copies: 3}"), "1");
        assertEquals(3, description.getCopies());
    }

    @Test
    void spawnersFollowTheDaemonsUnlessGiven() {
        assertEquals(
                2,
                ClusterDeployment.describe(WorkerPodTest.job("daemons: {replicas: 64}"), "1")
                        .getExpectedSpawners());
        assertEquals(
                3,
                ClusterDeployment.describe(WorkerPodTest.job("daemons: {replicas: 65}"), "1")
                        .getExpectedSpawners());
        assertEquals(
                1,
                ClusterDeployment.describe(WorkerPodTest.job("spawners: {replicas: 1}"), "1")
                        .getExpectedSpawners());
    }

    @Test
    void theNumberOfBlocksStaysWhenTheJobIsScaled() {
        IterativeJob job = WorkerPodTest.job("daemons: {replicas: 9}");
        job.setStatus(JobStatus.EMPTY.but(draft -> draft.blocks = 4));
        assertEquals(4, ClusterDeployment.describe(job, "1").getBlocks());
    }

    @Test
    void anotherProblemHasAnotherHash() {
        long one =
                ClusterDeployment.describe(WorkerPodTest.job("blocks: 4"), "1").getProblemHash();
        long same =
                ClusterDeployment.describe(WorkerPodTest.job("blocks: 4"), "1").getProblemHash();
        long other =
                ClusterDeployment.describe(WorkerPodTest.job("blocks: 5"), "1").getProblemHash();
        assertEquals(one, same);
        assertNotEquals(one, other);
    }
}
