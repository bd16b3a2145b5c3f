// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.operator.objects.WorkerImageConfig;
import java.util.Optional;
import java.util.Set;

/**
 * How an operator is set up.
 *
 * @param namespaces it looks after; empty for all
 * @param readsNodes whether it may read nodes
 * @param pod its own pod's name, its identity in the election
 * @param election whether one of several operators leads
 * @param exits whether the process ends when it no longer leads, to start anew as one that waits
 * @param threads reconciliations at once
 * @param objects what the objects of jobs depend on
 * @param leaseNamespace where the election's lease is; the operator's own namespace if not given
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
    /** Name of the lease by which one of several operators leads. */
    public static final String LEASE = "volary-operator";

    public OperatorSettings {
        namespaces = Set.copyOf(namespaces);
    }
}
