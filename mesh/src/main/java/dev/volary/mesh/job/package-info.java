// SPDX-License-Identifier: Apache-2.0
/**
 * What follows from the description of a job: its text form, the settings of the protocol machines, and the heap of workers.
 * Start at {@link dev.volary.mesh.job.JobDescriptionFile}.
 */
@NullMarked
package dev.volary.mesh.job;

import org.jspecify.annotations.NullMarked;
