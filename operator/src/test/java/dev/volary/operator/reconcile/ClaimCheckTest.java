// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.job.resource.IterativeJob;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimCheckTest {
    private static final String CHECKPOINTS = "checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}\n";
    private static final String RESULTS =
            "result: {destination: Volume, volume: {persistentVolumeClaim: {claimName: out}}}\n";

    @Test
    void aClaimThatAllowsManyNodesIsSufficient() {
        assertEquals(none(), check(CHECKPOINTS + RESULTS, claim("ReadWriteOnce", "ReadWriteMany")));
    }

    @Test
    void aClaimThatDoesNotExistYetIsNotRefused() {
        assertEquals(none(), check(CHECKPOINTS + RESULTS, Optional.empty()));
    }

    @Test
    void aClaimForOnePodIsRefusedIfSeveralWrite() {
        assertEquals(
                List.of(
                        "spec.checkpoint.volume.persistentVolumeClaim.claimName is \"ck\", which allows ReadWriteOncePod, but"
                                + " 6 workers write it; use a claim that allows ReadWriteMany, or objectStore",
                        "spec.result.volume.persistentVolumeClaim.claimName is \"out\", which allows ReadWriteOncePod, but"
                                + " 2 spawners write it; use a claim that allows ReadWriteMany, or objectStore"),
                check(CHECKPOINTS + RESULTS, claim("ReadWriteOncePod")).errors());
        assertEquals(1, check(CHECKPOINTS, claim("ReadOnlyMany")).errors().size());
    }

    @Test
    void aClaimForOneNodeIsNamedWithTheRemedy() {
        ClaimCheck check = check(CHECKPOINTS, claim("ReadWriteOnce"));
        assertEquals(List.of(), check.errors());
        assertEquals(
                List.of(
                        "spec.checkpoint.volume.persistentVolumeClaim.claimName is \"ck\", which allows ReadWriteOnce, but 6"
                                + " workers write it: all must run on one node; use a claim that allows ReadWriteMany, or"
                                + " objectStore"),
                check.warnings());
    }

    @Test
    void oneSpawnerMayWriteItsResultToAnyClaim() {
        assertEquals(none(), check("spawners: {replicas: 1}\n" + RESULTS, claim("ReadWriteOncePod")));
    }

    @Test
    void whatABoundVolumeAllowsCounts() {
        PersistentVolumeClaim bound = new PersistentVolumeClaimBuilder(
                        claim("ReadWriteOnce").orElseThrow())
                .withNewStatus()
                .withAccessModes("ReadWriteOnce", "ReadWriteMany")
                .endStatus()
                .build();
        assertEquals(none(), check(CHECKPOINTS, Optional.of(bound)));
    }

    private static ClaimCheck none() {
        return new ClaimCheck(List.of(), List.of());
    }

    private static Optional<PersistentVolumeClaim> claim(String... modes) {
        return Optional.of(new PersistentVolumeClaimBuilder()
                .withNewSpec()
                .withAccessModes(modes)
                .endSpec()
                .build());
    }

    private static ClaimCheck check(String spec, Optional<PersistentVolumeClaim> claim) {
        IterativeJob job = Serialization.unmarshal("""
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: heat, namespace: lab, generation: 1}
                spec:
                  problem: {type: heat2d}
                """ + spec.indent(2), IterativeJob.class);
        return ClaimCheck.of(job.getSpec(), name -> claim);
    }
}
