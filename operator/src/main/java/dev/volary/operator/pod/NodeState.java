// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

/** State of the node on which a pod runs. */
public enum NodeState {
    /** Nothing is wrong, or nothing is known: nodes cannot be read, or the pod has no node yet. */
    HEALTHY,
    /** It will be removed: it has a taint for draining, a spot notice or a scale-down. */
    RECLAIMED,
    /** Its kubelet does not report. */
    NOT_READY
}
