// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

/** What a pod of a job is, as its label {@code app.kubernetes.io/component} and the user write it. */
enum WorkerRole {
    daemon,
    spawner
}
