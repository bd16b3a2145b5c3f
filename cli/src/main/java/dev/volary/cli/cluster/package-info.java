/**
 * The commands for jobs on a Kubernetes cluster, one class each, and the texts that they print. They access the cluster through
 * {@link dev.volary.cli.cluster.client}.
 */
@NullMarked
package dev.volary.cli.cluster;

import org.jspecify.annotations.NullMarked;
