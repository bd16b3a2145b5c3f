// SPDX-License-Identifier: Apache-2.0
/**
 * Stores the leader election record and grants terms: the Lease of the job on a cluster, memory of the parent process in a local
 * run. Start at {@link dev.volary.mesh.arbiter.Arbiter}.
 */
@NullMarked
package dev.volary.mesh.arbiter;

import org.jspecify.annotations.NullMarked;
