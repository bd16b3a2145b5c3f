/** Faults on purpose: delay, loss, duplication, reordering, rate limits and partitions, from a seed; off unless asked for. */
@NullMarked
package dev.volary.mesh.fault;

import org.jspecify.annotations.NullMarked;
