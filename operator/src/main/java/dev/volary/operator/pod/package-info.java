/**
 * Observes worker pods: {@link dev.volary.operator.pod.PodObserver} reads a pod object into an
 * {@link dev.volary.operator.pod.ObservedPod}, and {@link dev.volary.operator.pod.PodClassifier} determines its state. Pure
 * functions: no client, no clock.
 */
@NullMarked
package dev.volary.operator.pod;

import org.jspecify.annotations.NullMarked;
