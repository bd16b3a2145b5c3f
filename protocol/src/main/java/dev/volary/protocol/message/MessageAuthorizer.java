// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import dev.volary.protocol.model.WorkerRole;
import java.util.Set;

/**
 * Says which roles may send each control message. The receiving end of a control link applies it to the role in the sender's
 * certificate, and docs/explanation/security.md shows it as a table. What a spawner passes on from a daemon to the leader may
 * come from both.
 *
 * <p>A standby is a daemon and a leader is a spawner: neither changes its role. Who of them is meant follows from terms,
 * incarnations and lists of members.
 */
public final class MessageAuthorizer {
    private static final Set<WorkerRole> DAEMON = Set.of(WorkerRole.DAEMON);
    private static final Set<WorkerRole> SPAWNER = Set.of(WorkerRole.SPAWNER);
    private static final Set<WorkerRole> BOTH = Set.of(WorkerRole.DAEMON, WorkerRole.SPAWNER);

    private MessageAuthorizer() {}

    /** The roles whose workers may send this message. */
    public static Set<WorkerRole> senders(Message message) {
        return switch (message) {
            case RegistrationMessage.Request request -> DAEMON;
            case RegistrationMessage.Reply reply -> SPAWNER;

            case ProgressMessage.DaemonReport report -> DAEMON;
            case ProgressMessage.GroupReport report -> SPAWNER;
            case ProgressMessage.GroupProgress progress -> SPAWNER;

            case BlockMessage.Command command -> SPAWNER;
            case BlockMessage.DirectoryRequest request -> DAEMON;
            case BlockMessage.BlockHello hello -> DAEMON;
            case BlockMessage.BlockMoved moved -> DAEMON;
            case BlockMessage.HaloRequest request -> DAEMON;
            case BlockMessage.DirectoryAck ack -> BOTH;
            case BlockMessage.BlockFailed failed -> BOTH;
            case BlockMessage.StaleIncarnation stale -> BOTH;

            case BackupMessage.HolderReport report -> DAEMON;
            case BackupMessage.HolderListUpdate update -> SPAWNER;
            case BackupMessage.BuddyHolders holders -> SPAWNER;

            case SnapshotMessage.Command command -> SPAWNER;
            case SnapshotMessage.GroupReply reply -> SPAWNER;
            case SnapshotMessage.SnapshotHaloRequest request -> DAEMON;
            case SnapshotMessage.SnapshotPart part -> DAEMON;
            case SnapshotMessage.SnapshotStored stored -> DAEMON;
            case SnapshotMessage.StoreFailed failed -> BOTH;

            case RollbackMessage.Command command -> SPAWNER;
            case RollbackMessage.BeginEpoch epoch -> SPAWNER;
            case RollbackMessage.DaemonReply reply -> DAEMON;
            case RollbackMessage.CheckpointDue due -> BOTH;
            case RollbackMessage.GroupCheckpoint checkpoint -> SPAWNER;
            case RollbackMessage.RollbackRequest request -> SPAWNER;
            case RollbackMessage.GroupGenerations generations -> SPAWNER;

            case DetectionMessage.Command command -> SPAWNER;
            case DetectionMessage.GroupTestAnswer answer -> SPAWNER;
            case DetectionMessage.TestAnswer answer -> DAEMON;
            case DetectionMessage.Neighbor neighbor -> DAEMON;
            case DetectionMessage.TestPassed passed -> BOTH;
            case DetectionMessage.ConvergenceClaim claim -> BOTH;

            case StepMessage.StepCommit commit -> SPAWNER;
            case StepMessage.KnownSteps known -> BOTH;

            case MembershipMessage.PeerMessage peer -> BOTH;
            case MembershipMessage.MemberListUpdate update -> SPAWNER;
            case MembershipMessage.MemberListAck ack -> BOTH;

            case TakeoverMessage takeover -> SPAWNER;
            case LogMessage log -> SPAWNER;
            case Stop stop -> SPAWNER;
        };
    }

    /** Whether a worker of this role may send this message. */
    public static boolean allows(WorkerRole sender, Message message) {
        return senders(message).contains(sender);
    }
}
