/** The Kubernetes objects that a job consists of, each as a function of the job. */
@NullMarked
package dev.volary.operator.objects;

import org.jspecify.annotations.NullMarked;
