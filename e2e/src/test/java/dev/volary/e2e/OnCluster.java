// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Needs a cluster with the operator installed. Its kubeconfig is named on purpose, so that no other cluster is ever touched. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfEnvironmentVariable(
        named = Kubectl.KUBECONFIG,
        matches = ".+",
        disabledReason = "no cluster: run e2e/run, or set VOLARY_E2E_KUBECONFIG to the kubeconfig of one with the chart"
                + " installed")
@interface OnCluster {}
