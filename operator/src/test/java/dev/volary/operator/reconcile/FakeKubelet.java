// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Plays scheduler and kubelet: binds pods to a node, says that they run, and lets go of those that are deleted. */
final class FakeKubelet implements AutoCloseable {
    private static final String NODE = "n1";

    private final AtomicInteger addresses = new AtomicInteger();
    private final ExecutorService work = Executors.newFixedThreadPool(
            8, Thread.ofPlatform().name("kubelet-", 0).daemon().factory());
    private final KubernetesClient client;
    private final String node;
    private final SharedIndexInformer<Pod> pods;

    /** @param namespace to serve; all if empty */
    FakeKubelet(KubernetesClient client, String namespace) {
        this(client, namespace, NODE);
    }

    /** @param node that pods are bound to */
    FakeKubelet(KubernetesClient client, String namespace, String node) {
        this.client = client;
        this.node = node;
        ResourceEventHandler<Pod> handler = new ResourceEventHandler<>() {
            @Override
            public void onAdd(Pod pod) {
                work.execute(() -> serve(pod));
            }

            @Override
            public void onUpdate(Pod old, Pod pod) {
                work.execute(() -> serve(pod));
            }

            @Override
            public void onDelete(Pod pod, boolean unknown) {
                // Nothing is left to be done.
            }
        };
        var served = namespace.isEmpty()
                ? client.pods().inAnyNamespace()
                : client.pods().inNamespace(namespace);
        // Thousands of pods share a heap with the operator that is measured.
        this.pods = served.runnableInformer(0).itemStore(new PrunedStore<>(PodEventSources::prunePod, pod -> {}));
        pods.addEventHandler(handler).run();
    }

    boolean isServing() {
        return pods.isWatching();
    }

    private void serve(Pod pod) {
        try {
            if (pod.getMetadata().getDeletionTimestamp() != null) {
                client.resource(pod).withGracePeriod(0).delete();
            } else if (pod.getSpec().getNodeName() == null) {
                bind(pod);
            } else if (pod.getStatus().getPodIP() == null) {
                run(pod);
            }
        } catch (KubernetesClientException e) {
            if (e.getCode() == 0) {
                work.execute(() -> serve(pod)); // the API server has not answered
            }
            // otherwise a newer version of the pod follows, or it is deleted
        }
    }

    /** As the scheduler does: the API server copies the labels of the node's zone and region to the pod with this request only. */
    private void bind(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        String name = pod.getMetadata().getName();
        var _ = client.raw(
                "/api/v1/namespaces/" + namespace + "/pods/" + name + "/binding",
                "POST",
                new BindingBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewTarget()
                        .withApiVersion("v1")
                        .withKind("Node")
                        .withName(node)
                        .endTarget()
                        .build());
    }

    private void run(Pod pod) {
        int number = addresses.incrementAndGet();
        client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(pod.getMetadata().getName())
                        .withNamespace(pod.getMetadata().getNamespace())
                        .endMetadata()
                        .withNewStatus()
                        .withPhase("Running")
                        .withPodIP("10." + (number >> 16 & 255) + "." + (number >> 8 & 255) + "." + (number & 255))
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .withContainerStatuses(new ContainerStatusBuilder()
                                .withName("worker")
                                .withReady(true)
                                .withImage("x")
                                .withImageID("x")
                                .withRestartCount(0)
                                .withNewState()
                                .withNewRunning()
                                .endRunning()
                                .endState()
                                .build())
                        .endStatus()
                        .build())
                .patchStatus();
    }

    @Override
    public void close() {
        pods.stop();
        work.shutdownNow();
    }
}
