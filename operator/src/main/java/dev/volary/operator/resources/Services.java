// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Labels;
import dev.volary.job.resource.Names;
import dev.volary.job.resource.Ports;
import dev.volary.operator.pod.PodRole;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import java.util.List;

/**
 * Builds headless Services: their names resolve to the addresses of all pods, ready or not, so that starting workers find
 * spawners.
 */
final class Services {
    private Services() {}

    static List<Service> of(IterativeJob job) {
        String name = job.getMetadata().getName();
        return List.of(
                headless(job, Names.spawnerService(name), PodRole.SPAWNER),
                headless(job, Names.daemonService(name), PodRole.DAEMON));
    }

    private static Service headless(IterativeJob job, String name, PodRole role) {
        return new ServiceBuilder()
                .withMetadata(OwnedMetadata.meta(job, name))
                .withNewSpec()
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withSelector(Labels.select(job.getMetadata().getName(), role.label()))
                .withPorts(port("control", Ports.CONTROL), port("metrics", Ports.HTTP))
                .endSpec()
                .build();
    }

    private static ServicePort port(String name, int number) {
        return new ServicePortBuilder()
                .withName(name)
                .withPort(number)
                .withProtocol("TCP")
                .build();
    }
}
