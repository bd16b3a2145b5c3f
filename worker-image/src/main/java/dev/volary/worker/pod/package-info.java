// SPDX-License-Identifier: Apache-2.0
/**
 * A worker in a Kubernetes pod: its settings, log, metrics, result spool, and the calls it answers for operator and command line.
 * Start at {@link dev.volary.worker.pod.PodMain}.
 */
@NullMarked
package dev.volary.worker.pod;

import org.jspecify.annotations.NullMarked;
