// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.description;

import dev.volary.job.spec.JobSpec;
import dev.volary.mesh.v1.JobDescription;

/** Adds to a description what depends on where the workers run: folders, the number of workers to wait for, deadlines, faults. */
public interface Deployment {

    /**
     * How much longer than on a machine of its own a worker may be silent. It stretches the default time-out; one that the spec gives
     * stays as it is.
     */
    default double slowness(JobSpec spec) {
        return 1;
    }

    /**
     * Adds what differs from place to place.
     *
     * @param description has all that the spec says
     */
    void complete(JobDescription.Builder description, JobSpec spec);
}
