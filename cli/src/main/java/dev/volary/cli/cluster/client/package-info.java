/**
 * Access to a cluster: {@link dev.volary.cli.cluster.client.ClusterClient} calls the API server, {@link
 * dev.volary.cli.cluster.client.SpawnerConnections} the spawners of a job through forwarded ports. This package and the
 * commands in {@link dev.volary.cli.cluster} are the only ones that may use the Kubernetes client.
 */
@NullMarked
package dev.volary.cli.cluster.client;

import org.jspecify.annotations.NullMarked;
