// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

/** What a spawner may receive. */
public sealed interface ToSpawner extends Message
        permits BackupMessage.Report,
                BlockMessage.DirectoryUpdate,
                BlockMessage.Report,
                BlockMessage.StaleIncarnation,
                DetectionMessage.Command,
                DetectionMessage.TestAnswer,
                LogMessage,
                MembershipMessage,
                Stop,
                ProgressMessage,
                RegistrationMessage.Evicted,
                RegistrationMessage.Request,
                RollbackMessage.BeginEpoch,
                RollbackMessage.Command,
                RollbackMessage.DaemonReply,
                SnapshotMessage.Command,
                SnapshotMessage.DaemonReply,
                StepMessage,
                TakeoverMessage,
                ToLeader {}
