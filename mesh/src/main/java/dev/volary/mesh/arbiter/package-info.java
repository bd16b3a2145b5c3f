/** Who grants the leader's term: the job's Lease on a cluster, the parent process in local mode. */
@NullMarked
package dev.volary.mesh.arbiter;

import org.jspecify.annotations.NullMarked;
