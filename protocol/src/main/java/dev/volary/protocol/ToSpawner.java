// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

/** What a spawner may receive. */
public sealed interface ToSpawner extends Message
        permits BackupMessage.Report,
                BlockMessage.DirectoryUpdate,
                BlockMessage.Report,
                BlockMessage.StaleIncarnation,
                LogMessage,
                MembershipMessage,
                Message.InStep.BeginEpoch,
                Message.InStep.BlockGenerations,
                Message.InStep.CheckpointTaken,
                Message.InStep.Proceed,
                Message.InStep.ResumeFrom,
                Message.InStep.TakeCheckpoint,
                Message.InStep.TestAnswer,
                Message.InStep.TestQuery,
                Message.Stop,
                ProgressMessage,
                RegistrationMessage.Evicted,
                RegistrationMessage.Request,
                SnapshotMessage.Command,
                SnapshotMessage.DaemonReply,
                StepMessage,
                TakeoverMessage,
                ToLeader {}
