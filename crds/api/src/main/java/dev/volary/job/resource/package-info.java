/**
 * A job as an object of Kubernetes: its resource, its status, and how the objects are named, labeled and reached that the operator
 * makes for it. Start with {@link dev.volary.job.resource.IterativeJob}; its spec is in {@code dev.volary.job.spec}.
 */
@NullMarked
package dev.volary.job.resource;

import org.jspecify.annotations.NullMarked;
