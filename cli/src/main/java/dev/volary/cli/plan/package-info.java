/** Predicts what a job will need: blocks, memory, halo traffic and sweeps. See {@link dev.volary.cli.plan.JobPlan}. */
@NullMarked
package dev.volary.cli.plan;

import org.jspecify.annotations.NullMarked;
