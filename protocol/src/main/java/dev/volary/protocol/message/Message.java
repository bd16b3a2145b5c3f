// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

/**
 * Control messages between workers: reliable, in order on each link, and idempotent. Halo values do not travel here; they
 * have slots of their own on the bulk connection. A message says by its type who may receive it; each topic has a file of its
 * own, such as {@link SnapshotMessage}.
 */
public sealed interface Message permits ToDaemon, ToSpawner {}
