// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.spawner;

import dev.volary.job.resource.IterativeJob;
import dev.volary.mesh.v1.StatusReply;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Merges replies of simulated spawners with the code that merges the replies of real ones. */
public final class SimulatedReplies {
    private SimulatedReplies() {}

    /** The report of the spawners that belong to the job; empty if there is none. */
    public static Optional<JobReport> merge(IterativeJob job, Map<SpawnerClients.At, StatusReply> replies) {
        Map<String, StatusReply> own = new TreeMap<>();
        replies.forEach((at, reply) -> {
            if (GrpcSpawnerClients.isFrom(job, at, reply)) {
                own.put(at.pod(), reply);
            }
        });
        return own.isEmpty() ? Optional.empty() : Optional.of(ReportMerger.of(own));
    }
}
