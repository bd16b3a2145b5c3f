// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Needs a cluster as {@link OnCluster} says, but bears the jobs of other tests beside its own: it harms none, and needs no job of its
 * own to be at a certain point after a certain time.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Execution(ExecutionMode.CONCURRENT)
@EnabledIfEnvironmentVariable(named = Kubectl.KUBECONFIG, matches = ".+", disabledReason = OnCluster.NO_CLUSTER)
@interface OnSharedCluster {}
