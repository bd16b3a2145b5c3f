// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

/** What a daemon may receive. */
public sealed interface ToDaemon extends Message
        permits BackupMessage.HolderListUpdate,
                BlockMessage.Command,
                BlockMessage.Neighbor,
                MembershipMessage.MemberListUpdate,
                MembershipMessage.PeerMessage,
                Message.InStep.Proceed,
                Message.InStep.ResumeFrom,
                Message.InStep.TakeCheckpoint,
                Message.InStep.TestQuery,
                Message.Stop,
                Message.Vote,
                Message.VoteAck,
                RegistrationMessage.Reply,
                SnapshotMessage.Command,
                SnapshotMessage.SnapshotHaloRequest,
                StepMessage.StepCommit {}
