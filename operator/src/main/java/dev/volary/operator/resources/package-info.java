/**
 * Builds the Kubernetes objects of a job, each as a pure function of the job. Does not access the API server. Start reading at
 * {@link dev.volary.operator.resources.JobResources} and {@link dev.volary.operator.resources.WorkerPod}.
 */
@NullMarked
package dev.volary.operator.resources;

import org.jspecify.annotations.NullMarked;
