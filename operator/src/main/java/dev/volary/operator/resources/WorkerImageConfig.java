// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import java.util.List;

/**
 * What the objects of all jobs have in common.
 *
 * @param image image of workers
 * @param pullPolicy pull policy of that image; empty for the default of the cluster
 * @param spawnerDisk ephemeral storage that a spawner requests unless its template does; empty for none
 * @param version version of operator and workers
 * @param operator pods of the operator
 * @param scrapers who may read the metrics of workers; all if empty
 */
public record WorkerImageConfig(
        String image,
        String pullPolicy,
        String spawnerDisk,
        String version,
        NetworkPolicies.OperatorPods operator,
        List<NetworkPolicyPeer> scrapers) {
    public WorkerImageConfig {
        scrapers = List.copyOf(scrapers);
    }
}
