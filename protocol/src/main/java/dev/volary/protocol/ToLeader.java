// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

/** What a leader may receive; a spawner that does not lead passes it on, or drops it. */
public sealed interface ToLeader extends ToSpawner
        permits BlockMessage.BlockFailed,
                Message.ConvergenceClaim,
                Message.InStep.CheckpointDue,
                Message.InStep.GroupCheckpoint,
                Message.InStep.GroupGenerations,
                Message.InStep.GroupTestAnswer,
                Message.InStep.RollbackRequest,
                Message.InStep.TestPassed,
                ProgressMessage.GroupProgress,
                ProgressMessage.GroupReport,
                SnapshotMessage.GroupReply,
                SnapshotMessage.StoreFailed {}
