/**
 * Checkpoints on a volume that all workers of a job see: what outlives every process of the job. The parts come from snapshots;
 * a manifest, written last, makes them a checkpoint.
 */
@NullMarked
package dev.volary.worker.volume;

import org.jspecify.annotations.NullMarked;
