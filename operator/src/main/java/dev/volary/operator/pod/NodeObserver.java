// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.List;
import java.util.Set;

/** Reads the state of a node from its object. */
public final class NodeObserver {
    /** Taints with which platforms announce that a node will be removed. */
    private static final Set<String> NOTICES = Set.of(
            "ToBeDeletedByClusterAutoscaler",
            "karpenter.sh/disrupted",
            "karpenter.sh/disruption",
            "aws-node-termination-handler/spot-itn",
            "aws-node-termination-handler/rebalance-recommendation",
            "aws-node-termination-handler/scheduled-maintenance",
            "cloud.google.com/impending-node-termination",
            "kubernetes.azure.com/scalesetpriority-evicted",
            "node.kubernetes.io/out-of-service",
            "node.cloudprovider.kubernetes.io/shutdown");

    private static final Set<String> SILENCE = Set.of("node.kubernetes.io/unreachable", "node.kubernetes.io/not-ready");

    private NodeObserver() {}

    /** The state of a node. */
    public static NodeState read(Node node) {
        List<Taint> taints = node.getSpec() == null || node.getSpec().getTaints() == null
                ? List.of()
                : node.getSpec().getTaints();
        if (taints.stream().anyMatch(t -> NOTICES.contains(t.getKey()))) {
            return NodeState.RECLAIMED;
        }
        boolean silent = taints.stream().anyMatch(t -> SILENCE.contains(t.getKey()))
                || (node.getStatus() != null
                        && node.getStatus().getConditions() != null
                        && node.getStatus().getConditions().stream()
                                .anyMatch(c -> c.getType().equals("Ready")
                                        && !c.getStatus().equals("True")));
        return silent ? NodeState.NOT_READY : NodeState.HEALTHY;
    }
}
