// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.job.resource.Names;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/** Reads properties of pods. */
final class Pods {
    private Pods() {}

    static String name(Pod pod) {
        return pod.getMetadata().getName();
    }

    /** Whether its containers run and it is not being deleted. */
    static boolean runs(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus() != null
                && "Running".equals(pod.getStatus().getPhase());
    }

    /** How often its worker was started; empty before the first start. */
    static Optional<Integer> starts(Pod pod) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getContainerStatuses().stream()
                        .filter(c -> c.getName().equals(Names.CONTAINER))
                        .filter(c -> c.getContainerID() != null
                                && !c.getContainerID().isEmpty())
                        .map(ContainerStatus::getRestartCount)
                        .map(restarts -> restarts + 1)
                        .findFirst();
    }
}
