/** Jobs on a Kubernetes cluster. The only package of the command line that knows a Kubernetes client. */
@NullMarked
package dev.volary.cli.cluster;

import org.jspecify.annotations.NullMarked;
