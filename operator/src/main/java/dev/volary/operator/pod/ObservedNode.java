// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import io.fabric8.kubernetes.api.model.Node;
import java.util.Optional;

/**
 * What the operator knows of the node of a pod.
 *
 * @param state whether it will end, or is silent
 * @param zone its label {@code topology.kubernetes.io/zone}; empty if it has none
 * @param isReadable whether the operator may read nodes; if not, nothing else is known
 */
public record ObservedNode(NodeState state, Optional<String> zone, boolean isReadable) {
    /** Of any node, to an operator that may not read nodes. */
    public static final ObservedNode UNREADABLE = new ObservedNode(NodeState.HEALTHY, Optional.empty(), false);

    /** Of a node that does not exist, and of a pod without a node. */
    public static final ObservedNode NONE = new ObservedNode(NodeState.HEALTHY, Optional.empty(), true);

    /** The label of nodes, and of pods since Kubernetes 1.35, that names the zone. */
    public static final String ZONE = "topology.kubernetes.io/zone";

    /** Reads a node from its object. */
    public static ObservedNode of(Node node) {
        Optional<String> zone = Optional.ofNullable(node.getMetadata().getLabels())
                .map(labels -> labels.get(ZONE))
                .filter(label -> !label.isEmpty());
        return new ObservedNode(NodeObserver.read(node), zone, true);
    }
}
