// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OnSharedCluster
class SmallJobIT {
    @TempDir
    Path folder;

    @Test
    void aJobEndsWithACertificateThatItsFetchedResultBearsOutAndLeavesNothingWhenDeleted() throws Exception {
        try (ClusterJob job = new ClusterJob("small", Specs.small())) {
            job.awaitSuccess();
            assertEquals(0, job.count("retriesUsed"));
            Certificates.check(Fetched.of(job, folder));
            job.until(
                    "is known to be fetched", () -> job.status("resultFetched").equals("true"));
            assertTrue(job.objects().contains("pod/small-s-0"), job::name);
            job.delete();
            job.until("leaves nothing", () -> job.objects().isEmpty());
        }
    }
}
