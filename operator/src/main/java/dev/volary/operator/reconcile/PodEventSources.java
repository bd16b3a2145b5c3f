// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Labels;
import dev.volary.operator.pod.ObservedNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Watches the pods of jobs and, if the operator may read them, nodes. */
class PodEventSources {
    private final boolean readsNodes;
    private @Nullable InformerEventSource<Pod, IterativeJob> pods;
    private @Nullable InformerEventSource<Node, IterativeJob> nodes;

    PodEventSources(boolean readsNodes) {
        this.readsNodes = readsNodes;
    }

    List<EventSource<?, IterativeJob>> prepare(EventSourceContext<IterativeJob> context) {
        List<EventSource<?, IterativeJob>> sources = new ArrayList<>();
        InformerEventSource<Pod, IterativeJob> podSource = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(Pod.class, IterativeJob.class)
                        .withName("pods")
                        .withLabelSelector(Labels.MANAGED)
                        .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(IterativeJob.class))
                        .withItemStore(new PrunedStore<>(PodEventSources::prunePod, pod -> {}))
                        .build(),
                context);
        pods = podSource;
        sources.add(podSource);
        if (readsNodes) {
            InformerEventSource<Node, IterativeJob> nodeSource = new InformerEventSource<>(
                    InformerEventSourceConfiguration.from(Node.class, IterativeJob.class)
                            .withName("nodes")
                            .withWatchAllNamespaces()
                            .withSecondaryToPrimaryMapper(node -> jobsOn(podSource, node))
                            .withItemStore(new PrunedStore<>(PodEventSources::pruneNode, node -> {}))
                            .withOnUpdateFilter(
                                    (next, old) -> !ObservedNode.of(next).equals(ObservedNode.of(old)))
                            .build(),
                    context);
            nodes = nodeSource;
            sources.add(nodeSource);
        }
        return sources;
    }

    /** The cache of pods. */
    InformerEventSource<Pod, IterativeJob> pods() {
        return Objects.requireNonNull(pods, "event sources are prepared before they are read");
    }

    /** Whether the caches of pods and nodes were filled once; until then, what they contain says nothing. */
    boolean haveSynced() {
        return hasSynced(pods()) && (nodes == null || hasSynced(nodes));
    }

    private static boolean hasSynced(InformerEventSource<?, IterativeJob> source) {
        return source.informerHealthIndicators().values().stream().allMatch(InformerHealthIndicator::hasSynced);
    }

    /** What is known of a node. */
    ObservedNode node(String name) {
        InformerEventSource<Node, IterativeJob> source = nodes;
        return source == null
                ? ObservedNode.UNREADABLE
                : source.get(new ResourceID(name)).map(ObservedNode::of).orElse(ObservedNode.NONE);
    }

    private static Set<ResourceID> jobsOn(InformerEventSource<Pod, IterativeJob> pods, Node node) {
        String name = node.getMetadata().getName();
        return pods.list(pod ->
                        pod.getSpec() != null && name.equals(pod.getSpec().getNodeName()))
                .flatMap(pod -> Optional.ofNullable(pod.getMetadata().getLabels())
                        .map(labels -> labels.get(Labels.JOB))
                        .map(job -> new ResourceID(job, pod.getMetadata().getNamespace()))
                        .stream())
                .collect(Collectors.toSet());
    }

    /** Removes fields of a pod that the operator does not read. */
    static void prunePod(Pod pod) {
        pod.setSpec(new PodSpecBuilder()
                .withNodeName(pod.getSpec() == null ? null : pod.getSpec().getNodeName())
                .build());
        pod.getMetadata().setAnnotations(null);
        if (pod.getStatus() != null) {
            pod.getStatus().setPodIPs(null);
            pod.getStatus().setHostIPs(null);
            pod.getStatus().setInitContainerStatuses(null);
        }
    }

    private static void pruneNode(Node node) {
        node.getMetadata().setAnnotations(null);
        if (node.getStatus() != null) {
            node.getStatus().setImages(null);
            node.getStatus().setVolumesAttached(null);
            node.getStatus().setVolumesInUse(null);
        }
    }
}
