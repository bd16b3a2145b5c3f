// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.objects;

/**
 * What objects depend on beside their job.
 *
 * @param image of workers
 * @param pullPolicy of that image; empty for the cluster's own
 * @param version of the software, the operator's and the workers' alike
 * @param operator where the operator runs
 */
public record WorkerImageConfig(String image, String pullPolicy, String version, NetworkPolicies.Place operator) {}
