// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

/**
 * What the objects of all jobs have in common.
 *
 * @param image image of workers
 * @param pullPolicy pull policy of that image; empty for the default of the cluster
 * @param spawnerDisk ephemeral storage that a spawner requests unless its template does; empty for none
 * @param version version of operator and workers
 * @param operator pods of the operator
 */
public record WorkerImageConfig(
        String image, String pullPolicy, String spawnerDisk, String version, NetworkPolicies.OperatorPods operator) {}
