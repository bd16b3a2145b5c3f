// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

/**
 * Names a copy at one holder. The slot is no part of it: no two slots of a block are ever at one holder.
 *
 * @param kind what the copy holds
 * @param block the block
 */
public record ReplicaKey(ReplicaKind kind, int block) {}
