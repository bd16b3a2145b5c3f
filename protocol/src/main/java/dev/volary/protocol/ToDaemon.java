// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

/** What a daemon may receive. */
public sealed interface ToDaemon extends Message
        permits BackupMessage.HolderListUpdate,
                BlockMessage.Command,
                BlockMessage.Neighbor,
                Message.InStep.Proceed,
                Message.InStep.ResumeFrom,
                Message.InStep.TakeCheckpoint,
                Message.InStep.TestQuery,
                Message.MemberListUpdate,
                Message.Stop,
                Message.Vote,
                Message.VoteAck,
                Message.WatchMessage,
                RegistrationMessage.Reply,
                SnapshotMessage.Command,
                SnapshotMessage.SnapshotHaloRequest,
                StepMessage.StepCommit {}
