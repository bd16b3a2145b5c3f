/**
 * Backups of blocks in other processes. {@link dev.volary.checkpoint.BackupStore} is the port; its contract is: the newest
 * available, possibly stale, never corrupt.
 */
@NullMarked
package dev.volary.checkpoint;

import org.jspecify.annotations.NullMarked;
