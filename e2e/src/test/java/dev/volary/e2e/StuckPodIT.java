// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A valid job that cannot have its pods says so, in a condition and an event, and goes on by itself once it can. */
@OnSharedCluster
class StuckPodIT {
    @TempDir
    Path folder;

    @Test
    void anImageThatCannotBePulledIsNamedInAConditionAndAnEvent() throws Exception {
        try (ClusterJob job = new ClusterJob("no-image", Specs.withImage("volary-e2e.invalid/worker:none"))) {
            job.until("says why", () -> job.condition("Ready").equals("False ImageUnavailable"));
            job.until("has an event with the reason", () -> job.events().contains("WorkerBlocked"));
            assertEquals("Forming", job.status("phase"));
            assertEquals(Losses.NONE, job.losses());
        }
    }

    @Test
    void aQuotaThatIsExceededIsNamedAndTheJobGoesOnOnceItIsRaised() throws Exception {
        try (ClusterJob job = new ClusterJob("no-room", Specs.few(Specs.small()), """
                apiVersion: v1
                kind: ResourceQuota
                metadata: {name: few}
                spec: {hard: {pods: "2"}}
                """)) {
            job.until("says why", () -> {
                assertNotEquals("Succeeded", job.status("phase"), "it has its pods though they exceed the quota");
                return job.condition("Ready").equals("False QuotaExceeded");
            });
            job.until("has an event with the reason", () -> job.events().contains("PodRefused"));
            Kubectl.run("-n", job.namespace(), "delete", "resourcequota", "few");
            job.awaitSuccess();
            assertEquals(Losses.NONE, job.losses());
            Certificates.check(Fetched.of(job, folder));
        }
    }
}
