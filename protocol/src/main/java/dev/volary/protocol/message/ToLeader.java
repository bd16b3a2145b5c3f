// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

/** What a leader may receive; a spawner that does not lead passes it on, or drops it. */
public sealed interface ToLeader extends ToSpawner
        permits BlockMessage.BlockFailed,
                DetectionMessage.Report,
                ProgressMessage.GroupProgress,
                ProgressMessage.GroupReport,
                RollbackMessage.GroupReply,
                SnapshotMessage.GroupReply,
                SnapshotMessage.StoreFailed {}
