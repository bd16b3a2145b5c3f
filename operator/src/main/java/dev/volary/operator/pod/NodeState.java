// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

/** What the API says of the node a pod runs on. */
public enum NodeState {
    /** Nothing against it; also when nodes cannot be read, or the pod has none yet, or a new one is not yet known. */
    WELL,
    /** It is marked to be emptied: taints that drain, spot notices, scale-down. */
    RECLAIMED,
    /** Its kubelet is silent. */
    NOT_READY
}
