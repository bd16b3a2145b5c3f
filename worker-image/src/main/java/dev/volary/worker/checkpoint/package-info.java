// SPDX-License-Identifier: Apache-2.0
/**
 * Checkpoints on a volume that all workers of a job share, or in an object store; they survive the end of all its processes. The parts come from
 * snapshots; a manifest, written last, completes a checkpoint. Start at {@link dev.volary.worker.checkpoint.JobCheckpoints}.
 */
@NullMarked
package dev.volary.worker.checkpoint;

import org.jspecify.annotations.NullMarked;
