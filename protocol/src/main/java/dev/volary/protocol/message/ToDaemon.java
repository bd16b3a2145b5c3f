// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

/** What a daemon may receive. */
public sealed interface ToDaemon extends Message
        permits BackupMessage.HolderListUpdate,
                BlockMessage.Command,
                BlockMessage.Neighbor,
                DetectionMessage.Command,
                DetectionMessage.Neighbor,
                MembershipMessage.MemberListUpdate,
                MembershipMessage.PeerMessage,
                Stop,
                RegistrationMessage.Reply,
                RollbackMessage.Command,
                SnapshotMessage.Command,
                SnapshotMessage.SnapshotHaloRequest,
                StepMessage.StepCommit {}
