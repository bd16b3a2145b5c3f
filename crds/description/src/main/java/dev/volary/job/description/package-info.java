/**
 * Translates a job's spec into the job description that its workers receive, {@code job.proto}. {@link
 * dev.volary.job.description.JobDescriptionFactory} writes what is the same everywhere; a {@link
 * dev.volary.job.description.Deployment} adds what depends on where the workers run.
 */
@NullMarked
package dev.volary.job.description;

import org.jspecify.annotations.NullMarked;
