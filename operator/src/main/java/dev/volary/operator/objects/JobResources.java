// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.objects;

import dev.volary.job.resource.IterativeJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;

/** All objects of a job that are made once, the secrets and pods aside. */
public final class JobResources {
    private JobResources() {}

    /** In the order in which they are created: what pods refer to comes first. */
    public static List<HasMetadata> of(IterativeJob job, WorkerImageConfig setting) {
        List<HasMetadata> objects = new ArrayList<>();
        objects.add(ClusterDeployment.configMap(job, setting.version()));
        objects.addAll(LeaseResources.of(job));
        objects.addAll(Services.of(job));
        objects.addAll(NetworkPolicies.of(job, setting.operator()));
        return objects;
    }
}
