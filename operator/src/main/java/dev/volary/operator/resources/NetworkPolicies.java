// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Labels;
import dev.volary.job.resource.Names;
import dev.volary.job.resource.Ports;
import dev.volary.operator.pod.PodRole;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPortBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Builds the network policies of a job. Workers accept connections from each other, spawners also from the operator, and the
 * metrics port from those who may scrape, which is everyone by default. Workers connect to each other, to DNS and to the object stores of
 * inputs and checkpoints, spawners also to the API server and to the object store of the result.
 */
public final class NetworkPolicies {
    private static final int DNS = 53;
    /** Ports of the Service and of the endpoints of the API server. */
    private static final int[] API_SERVER = {443, 6443};

    private NetworkPolicies() {}

    /** @param scrapers who may read metrics; all if empty */
    static List<NetworkPolicy> of(IterativeJob job, OperatorPods operator, List<NetworkPolicyPeer> scrapers) {
        return List.of(daemons(job, scrapers), spawners(job, operator, scrapers));
    }

    private static NetworkPolicy daemons(IterativeJob job, List<NetworkPolicyPeer> scrapers) {
        return policy(
                job,
                Names.daemonPolicy(job.getMetadata().getName()),
                PodRole.DAEMON,
                List.of(fromWorkers(job), metrics(scrapers)),
                out(job, PodRole.DAEMON));
    }

    private static List<NetworkPolicyEgressRule> out(IterativeJob job, PodRole role) {
        List<NetworkPolicyEgressRule> out = new ArrayList<>(List.of(toWorkers(job), names()));
        int[] stores = StoreAccess.of(job.getSpec(), role).stream()
                .mapToInt(access -> access.store().tcpPort())
                .distinct()
                .sorted()
                .toArray();
        if (stores.length > 0) {
            out.add(new NetworkPolicyEgressRuleBuilder()
                    .withPorts(ports("TCP", stores))
                    .build());
        }
        return out;
    }

    private static NetworkPolicy spawners(IterativeJob job, OperatorPods operator, List<NetworkPolicyPeer> scrapers) {
        List<NetworkPolicyEgressRule> out = out(job, PodRole.SPAWNER);
        out.add(new NetworkPolicyEgressRuleBuilder()
                .withPorts(ports("TCP", API_SERVER))
                .build());
        return policy(
                job,
                Names.spawnerPolicy(job.getMetadata().getName()),
                PodRole.SPAWNER,
                List.of(fromWorkers(job), fromOperator(operator), metrics(scrapers)),
                out);
    }

    private static NetworkPolicy policy(
            IterativeJob job,
            String name,
            PodRole role,
            List<NetworkPolicyIngressRule> in,
            List<NetworkPolicyEgressRule> out) {
        return new NetworkPolicyBuilder()
                .withMetadata(OwnedMetadata.meta(job, name))
                .withNewSpec()
                .withPodSelector(selector(Labels.select(job.getMetadata().getName(), role.label())))
                .withPolicyTypes("Ingress", "Egress")
                .withIngress(in)
                .withEgress(out)
                .endSpec()
                .build();
    }

    private static NetworkPolicyIngressRule fromWorkers(IterativeJob job) {
        return new NetworkPolicyIngressRuleBuilder()
                .addNewFrom()
                .withPodSelector(selector(Labels.select(job.getMetadata().getName())))
                .endFrom()
                .withPorts(ports("TCP", Ports.CONTROL, Ports.BULK, Ports.STORE))
                .build();
    }

    private static NetworkPolicyIngressRule fromOperator(OperatorPods operator) {
        return new NetworkPolicyIngressRuleBuilder()
                .addNewFrom()
                .withNamespaceSelector(selector(Map.of("kubernetes.io/metadata.name", operator.namespace())))
                .withPodSelector(selector(operator.labels()))
                .endFrom()
                .withPorts(ports("TCP", Ports.CONTROL))
                .build();
    }

    private static NetworkPolicyIngressRule metrics(List<NetworkPolicyPeer> scrapers) {
        return new NetworkPolicyIngressRuleBuilder()
                .withFrom(scrapers)
                .withPorts(ports("TCP", Ports.HTTP))
                .build();
    }

    private static NetworkPolicyEgressRule toWorkers(IterativeJob job) {
        return new NetworkPolicyEgressRuleBuilder()
                .addNewTo()
                .withPodSelector(selector(Labels.select(job.getMetadata().getName())))
                .endTo()
                .withPorts(ports("TCP", Ports.CONTROL, Ports.BULK, Ports.STORE))
                .build();
    }

    private static NetworkPolicyEgressRule names() {
        List<NetworkPolicyPort> both = new ArrayList<>(ports("UDP", DNS));
        both.addAll(ports("TCP", DNS));
        return new NetworkPolicyEgressRuleBuilder().withPorts(both).build();
    }

    private static List<NetworkPolicyPort> ports(String protocol, int... numbers) {
        return IntStream.of(numbers)
                .mapToObj(number -> new NetworkPolicyPortBuilder()
                        .withProtocol(protocol)
                        .withPort(new IntOrString(number))
                        .build())
                .toList();
    }

    private static LabelSelector selector(Map<String, String> labels) {
        return new LabelSelectorBuilder().withMatchLabels(labels).build();
    }

    /**
     * Selects the pods of the operator.
     *
     * @param namespace namespace of its pods
     * @param labels labels of its pods
     */
    public record OperatorPods(String namespace, Map<String, String> labels) {
        public OperatorPods {
            labels = Map.copyOf(labels);
        }
    }
}
