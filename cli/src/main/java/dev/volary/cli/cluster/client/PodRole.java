// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster.client;

/** Role of a pod, as its label {@code app.kubernetes.io/component} and the option {@code --role} spell it. */
public enum PodRole {
    daemon,
    spawner
}
