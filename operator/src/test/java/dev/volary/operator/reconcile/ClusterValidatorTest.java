// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.resource.IterativeJob;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterValidatorTest {
    @Test
    void aSoundSpecHasNoFaults() {
        assertEquals(List.of(), errors("""
                        daemons: {replicas: 3, min: 2, max: 8, standbys: 1, template: {spec: {containers: [{name: worker}]}}}
                        workerGroups: [{name: spot, priority: 10}]
                        inputs: [{name: in, persistentVolumeClaim: {claimName: data}}]
                        checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}
                        failureDetection: {timeout: 2s}
                        ttlSecondsAfterFinished: 60
                        managedBy: volary.dev/operator
                        """));
    }

    @Test
    void theOperatorRefusesASpecWithTheSameTextAsTheCommandLine() {
        List<String> faults = errors("convergence: {tolerance: soon}");
        assertEquals(1, faults.size());
        assertTrue(
                faults.getFirst()
                        .startsWith("spec.convergence.tolerance is \"soon\", must be a positive decimal number"),
                faults.getFirst());
    }

    @Test
    void tooFewSpawnersAreRefusedWithTheNumberThatIsNeeded() {
        assertEquals(
                List.of(
                        "spec.spawners.replicas is 1, but one spawner manages at most 32 daemons and spec.daemons allows 33,"
                                + " standbys included; set it to 2 or leave it out"),
                errors("daemons: {replicas: 33}\nspawners: {replicas: 1}"));
    }

    @Test
    void theDetectorOfTheAsynchronousSchemeIsRefusedInTheSynchronousScheme() {
        assertEquals(
                List.of(
                        "spec.convergence.detector is TreeVerification, which is for the scheme Asynchronous; leave it out"
                                + " with Synchronous"),
                errors("scheme: Synchronous\nconvergence: {detector: TreeVerification}"));
    }

    @Test
    void aLocalFolderIsNoInputOnACluster() {
        List<String> faults = errors("inputs: [{name: in, path: ./data}]");
        assertEquals(
                List.of("spec.inputs[0].path is \"./data\", a local folder; use persistentVolumeClaim or"
                        + " objectStore on a cluster"),
                faults);
    }

    @Test
    void timeStepsAreKeptOnAVolumeOrInAnObjectStoreOnly() {
        assertEquals(
                List.of(
                        "spec.result.everySteps is 4 with spec.result.destination Lead, but spawners keep the last time step"
                                + " only; set destination: Volume or ObjectStore, or remove everySteps"),
                errors("result: {everySteps: 4}"));
        assertEquals(
                List.of(),
                errors(
                        "result: {everySteps: 4, destination: Volume, volume: {persistentVolumeClaim: {claimName: r}}}"));
        assertEquals(
                List.of(), errors("result: {everySteps: 4, destination: ObjectStore, objectStore: {bucket: results}}"));
    }

    @Test
    void aJobToRestoreFromIsAName() {
        assertEquals(List.of(), errors("restoreFrom: {persistentVolumeClaim: {claimName: ck}, job: heat-1}"));
        assertEquals(
                List.of("spec.restoreFrom.job is \"../heat\", which is not the name of a job; use"
                        + " persistentVolumeClaim.subPath or objectStore.prefix for a folder"),
                errors("restoreFrom: {persistentVolumeClaim: {claimName: ck}, job: ../heat}"));
    }

    @Test
    void aResultGoesToAVolumeOrAnObjectStore() {
        assertEquals(
                List.of(),
                errors("result: {destination: Volume, volume: {persistentVolumeClaim: {claimName: results}}}"));
        assertEquals(
                List.of(),
                errors("result: {destination: ObjectStore, objectStore: {bucket: results, secretName: s3}}"));
    }

    private static List<String> errors(String spec) {
        return ClusterValidator.errors(Serialization.unmarshal("""
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: heat, namespace: lab, generation: 1}
                spec:
                  problem: {type: heat2d}
                """ + spec.indent(2), IterativeJob.class));
    }
}
