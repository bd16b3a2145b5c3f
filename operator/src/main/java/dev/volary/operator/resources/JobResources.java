// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import dev.volary.job.resource.IterativeJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;

/** Builds the objects of a job except Secrets and pods. */
public final class JobResources {
    private JobResources() {}

    /** The objects in the order in which they are created. */
    public static List<HasMetadata> of(IterativeJob job, WorkerImageConfig config) {
        List<HasMetadata> objects = new ArrayList<>();
        objects.add(ClusterDeployment.configMap(job, config.version()));
        objects.addAll(LeaseResources.of(job));
        objects.addAll(Services.of(job));
        objects.addAll(NetworkPolicies.of(job, config.operator(), config.scrapers()));
        return objects;
    }
}
