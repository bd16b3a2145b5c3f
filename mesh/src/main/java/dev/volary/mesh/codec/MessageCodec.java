// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.BackupMessage;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.message.Stop;
import dev.volary.protocol.message.TakeoverMessage;
import java.util.Optional;

/** Control messages to and from the payload of an {@link Envelope}: one codec for each topic. */
public final class MessageCodec {
    private MessageCodec() {}

    /** Sets the payload. */
    public static Envelope.Builder write(Envelope.Builder envelope, Message message) {
        switch (message) {
            case RegistrationMessage m -> RegistrationCodec.write(envelope, m);
            case ProgressMessage m -> ProgressCodec.write(envelope, m);
            case TakeoverMessage m -> TakeoverCodec.write(envelope, m);
            case BlockMessage m -> BlockCodec.write(envelope, m);
            case BackupMessage m -> BackupCodec.write(envelope, m);
            case SnapshotMessage m -> SnapshotCodec.write(envelope, m);
            case MembershipMessage m -> MembershipCodec.write(envelope, m);
            case StepMessage m -> StepCodec.write(envelope, m);
            case LogMessage m -> LogCodec.write(envelope, m);
            case RollbackMessage m -> RollbackCodec.write(envelope, m);
            case DetectionMessage m -> DetectionCodec.write(envelope, m);
            case Stop m -> m.reason().ifPresentOrElse(envelope.getStopBuilder()::setReason, envelope::getStopBuilder);
        }
        return envelope;
    }

    /**
     * The payload; empty if the envelope only acknowledges.
     *
     * @throws IllegalArgumentException if the payload cannot be, such as a node id of 0
     */
    public static Optional<Message> read(Envelope envelope) {
        return switch (envelope.getPayloadCase()) {
            case REGISTER,
                    REGISTERED,
                    REGISTER_ELSEWHERE,
                    LEAVING,
                    SPAWNER_LOST,
                    EVICTED,
                    GROUP_ADOPTED,
                    TRANSFER_DAEMON -> Optional.of(RegistrationCodec.read(envelope));
            case GROUP_REPORT, DAEMON_REPORT, GROUP_PROGRESS -> Optional.of(ProgressCodec.read(envelope));
            case PLAN, DIRECTORY_REPLICA, DIRECTORY_REPLICA_ACK, OWNERSHIP_CLAIM, OWNERSHIP_CLAIM_ACK, BLOCKS_OFFERED ->
                Optional.of(TakeoverCodec.read(envelope));
            case ASSIGN,
                    DIRECTORY_UPDATE,
                    DIRECTORY_ACK,
                    DIRECTORY_REQUEST,
                    BLOCK_MOVED,
                    BLOCK_HELLO,
                    STALE_INCARNATION,
                    HALO_REQUEST,
                    BLOCK_FAILED -> Optional.of(BlockCodec.read(envelope));
            case HOLDER_REPORT, HOLDER_LIST_UPDATE, BUDDY_HOLDERS -> Optional.of(BackupCodec.read(envelope));
            case RECORD_BLOCKS,
                    SNAPSHOT_HALO_REQUEST,
                    SNAPSHOT_PART,
                    SNAPSHOT_GROUP_PART,
                    REEVALUATE,
                    ABORTED,
                    DISCARD,
                    SNAPSHOT_STORE,
                    SNAPSHOT_STORED,
                    SNAPSHOT_GROUP_STORED,
                    STORE_FAILED -> Optional.of(SnapshotCodec.read(envelope));
            case MEMBER_LIST_UPDATE,
                    MEMBER_LIST_ACK,
                    HEARTBEAT,
                    PROBE,
                    PROBE_ANSWER,
                    REFUTATION,
                    SUSPICIONS,
                    DEPARTING,
                    VERDICT_ANNOUNCEMENT -> Optional.of(MembershipCodec.read(envelope));
            case STEP_COMMIT, KNOWN_STEPS -> Optional.of(StepCodec.read(envelope));
            case APPEND, APPEND_ACK, PREPARE, PROMISE, PREPARE_REJECTED -> Optional.of(LogCodec.read(envelope));
            case CHECKPOINT_DUE,
                    TAKE_CHECKPOINT,
                    CHECKPOINT_TAKEN,
                    GROUP_CHECKPOINT,
                    ROLLBACK_REQUEST,
                    BEGIN_EPOCH,
                    BLOCK_GENERATIONS,
                    GROUP_GENERATIONS,
                    RESUME_FROM -> Optional.of(RollbackCodec.read(envelope));
            case VOTE, VOTE_ACK, CONVERGENCE_CLAIM, TEST_PASSED, TEST_QUERY, TEST_ANSWER, GROUP_TEST_ANSWER, PROCEED ->
                Optional.of(DetectionCodec.read(envelope));
            case STOP -> {
                var m = envelope.getStop();
                yield Optional.of(new Stop(m.hasReason() ? Optional.of(m.getReason()) : Optional.empty()));
            }
            case PAYLOAD_NOT_SET -> Optional.empty();
        };
    }
}
