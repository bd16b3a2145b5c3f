// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An operator's cache of pods: what its watch has delivered, and what it has created itself. */
final class SimulatedPods extends InformerEventSource<Pod, IterativeJob> {
    private final Map<String, Pod> pods = new TreeMap<>();

    SimulatedPods(KubernetesClient client) {
        super(
                InformerEventSourceConfiguration.from(Pod.class, IterativeJob.class)
                        .withName("pods")
                        .withSecondaryToPrimaryMapper(pod -> Set.of())
                        .build(),
                new EventSourceContext<>(null, null, client, IterativeJob.class));
    }

    @Override
    public void handleRecentResourceCreate(ResourceID id, Pod created) {
        if (!isOlder(created)) {
            pods.put(id.getName(), created);
        }
    }

    private boolean isOlder(Pod pod) {
        Pod known = pods.get(pod.getMetadata().getName());
        return known != null && version(known) >= version(pod);
    }

    private static long version(Pod pod) {
        return Long.parseLong(pod.getMetadata().getResourceVersion());
    }

    /** A change that the watch delivers; returns the name of the job that the pod belongs to. */
    Optional<String> deliver(Pod pod, boolean isDeleted) {
        PodEventSources.prunePod(pod);
        if (!isOlder(pod)) {
            if (isDeleted) {
                pods.remove(pod.getMetadata().getName());
            } else {
                pods.put(pod.getMetadata().getName(), pod);
            }
        }
        return job(pod);
    }

    /** Replaces all pods by those of a fresh list, as a watch does that is reopened; returns the names of jobs with changed pods. */
    Set<String> replace(List<Pod> listed) {
        Set<String> names =
                listed.stream().map(pod -> pod.getMetadata().getName()).collect(Collectors.toSet());
        Set<String> changed = new TreeSet<>();
        pods.values().removeIf(pod -> {
            boolean isGone = !names.contains(pod.getMetadata().getName());
            if (isGone) {
                job(pod).ifPresent(changed::add);
            }
            return isGone;
        });
        listed.stream()
                .filter(pod -> !isOlder(pod))
                .forEach(pod -> deliver(pod, false).ifPresent(changed::add));
        return changed;
    }

    /** The pods whose owner has the name of the job. */
    Stream<Pod> of(IterativeJob job) {
        return pods.values().stream()
                .filter(pod -> job(pod).equals(Optional.of(job.getMetadata().getName())))
                .toList()
                .stream();
    }

    /** The names of the jobs with pods on a node. */
    Stream<String> jobsOn(String node) {
        return pods.values().stream()
                .filter(pod ->
                        pod.getSpec() != null && node.equals(pod.getSpec().getNodeName()))
                .flatMap(pod -> job(pod).stream())
                .distinct()
                .toList()
                .stream();
    }

    private static Optional<String> job(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .filter(owner -> "IterativeJob".equals(owner.getKind()))
                .map(OwnerReference::getName)
                .findFirst();
    }
}
