/**
 * Backups of blocks in other processes. {@link dev.volary.backup.BackupStore} is the port; its contract is: the newest
 * available, possibly stale, never corrupt.
 */
@NullMarked
package dev.volary.backup;

import org.jspecify.annotations.NullMarked;
