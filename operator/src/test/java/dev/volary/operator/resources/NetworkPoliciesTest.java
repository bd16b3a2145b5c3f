// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Names;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NetworkPoliciesTest {
    private static final NetworkPolicyPeer MONITORING = Serialization.unmarshal(
            "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}", NetworkPolicyPeer.class);

    @Test
    void everyoneMayScrapeByDefault() {
        for (NetworkPolicyIngressRule metrics : metrics(List.of())) {
            assertEquals(List.of(), metrics.getFrom());
        }
    }

    @Test
    void onlyTheNamedPeersMayScrapeDaemonsAndSpawners() {
        List<NetworkPolicyIngressRule> rules = metrics(List.of(MONITORING));
        assertEquals(2, rules.size());
        for (NetworkPolicyIngressRule metrics : rules) {
            assertEquals(List.of(MONITORING), metrics.getFrom());
        }
    }

    @Test
    void workersConnectToThePortsOfTheStoresThatTheyUse() {
        IterativeJob job = WorkerPodTest.job("""
                inputs: [{name: in, objectStore: {bucket: inputs, endpoint: 'http://a:9001'}, files: [{name: a, sha256: x}]}]
                checkpoint: {objectStore: {bucket: state, endpoint: 'https://b'}}
                restoreFrom: {objectStore: {bucket: state, endpoint: 'http://c:9002'}}
                result: {destination: ObjectStore, objectStore: {bucket: results, endpoint: 'http://d:9003'}}
                """);
        NetworkPolicies.of(job, new NetworkPolicies.OperatorPods("volary-system", Map.of()), List.of())
                .forEach(policy -> {
                    boolean isSpawner = policy.getMetadata().getName().equals(Names.spawnerPolicy("heat"));
                    assertEquals(
                            isSpawner ? List.of(443, 9001, 9002, 9003) : List.of(443, 9001, 9002),
                            policy.getSpec().getEgress().get(2).getPorts().stream()
                                    .map(port -> port.getPort().getIntVal())
                                    .toList());
                });
    }

    /** The rules for the metrics port, one for each role. */
    private static List<NetworkPolicyIngressRule> metrics(List<NetworkPolicyPeer> scrapers) {
        IterativeJob job = Serialization.unmarshal("""
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: heat, namespace: lab, uid: 123}
                spec:
                  problem: {type: heat2d}
                  daemons: {replicas: 1}
                  convergence: {tolerance: "1e-5"}
                """, IterativeJob.class);
        return NetworkPolicies.of(job, new NetworkPolicies.OperatorPods("volary-system", Map.of()), scrapers).stream()
                .flatMap(policy -> policy.getSpec().getIngress().stream())
                .filter(rule ->
                        rule.getPorts().stream().anyMatch(port -> port.getPort().getIntVal() == 7403))
                .toList();
    }
}
