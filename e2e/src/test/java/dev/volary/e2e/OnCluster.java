// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Needs a cluster with the operator installed, and without jobs of other tests, for it injects faults, measures times, or needs
 * its job to be at a certain point after a certain time. Its kubeconfig is named on purpose, so that no other cluster is ever touched.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Isolated("nothing else runs on the cluster meanwhile")
@EnabledIfEnvironmentVariable(named = Kubectl.KUBECONFIG, matches = ".+", disabledReason = OnCluster.NO_CLUSTER)
@interface OnCluster {
    String NO_CLUSTER = "no cluster: run e2e/run, or set VOLARY_E2E_KUBECONFIG to the kubeconfig of one with the chart"
            + " installed";
}
