// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

/** Whether the worker in a pod can know its zone, which it reads from a label of the pod. */
public enum PodZone {
    /** The pod has the label. */
    LABELED,
    /** The node has the label and the pod does not: the API server does not copy it. */
    HIDDEN,
    /** The pod has no label, and the operator may not read its node. */
    UNREADABLE,
    /** The node has no label, or the pod has no node yet: there is nothing to know. */
    NONE
}
