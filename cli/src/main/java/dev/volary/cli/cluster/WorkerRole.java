// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

/** Role of a pod, as its label {@code app.kubernetes.io/component} and the option {@code --role} spell it. */
enum WorkerRole {
    daemon,
    spawner
}
