// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.operator.resources.WorkerImageConfig;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of an operator.
 *
 * @param namespaces namespaces that it watches; empty for all
 * @param readsNodes whether it may read nodes
 * @param pod name of its pod, its identity in the leader election
 * @param election whether replicas of the operator elect a leader
 * @param exits whether the process ends when it loses the leadership
 * @param threads number of concurrent reconciliations
 * @param objects settings for the objects of jobs
 * @param leaseNamespace namespace of the Lease of the election; the namespace of the operator if empty
 */
public record OperatorSettings(
        Set<String> namespaces,
        boolean readsNodes,
        String pod,
        boolean election,
        boolean exits,
        int threads,
        WorkerImageConfig objects,
        Optional<String> leaseNamespace) {
    /** Name of the Lease for the leader election of the operator. */
    public static final String LEASE = "volary-operator";

    public OperatorSettings {
        namespaces = Set.copyOf(namespaces);
    }
}
