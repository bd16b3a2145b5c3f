// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.model.CheckpointGeneration;
import java.util.Optional;

/** Coordinated checkpoints and rollbacks, to and from the payload of an {@link Envelope}. */
final class RollbackCodec {
    private RollbackCodec() {}

    /** Sets the payload. */
    static void write(Envelope.Builder envelope, RollbackMessage message) {
        switch (message) {
            case RollbackMessage.CheckpointDue m ->
                envelope.getCheckpointDueBuilder()
                        .setEpoch(m.epoch())
                        .setIteration(m.iteration())
                        .setAhead(m.ahead());
            case RollbackMessage.TakeCheckpoint m ->
                envelope.getTakeCheckpointBuilder()
                        .setEpoch(m.epoch())
                        .setSlot(m.slot())
                        .setIteration(m.iteration());
            case RollbackMessage.CheckpointTaken m ->
                envelope.getCheckpointTakenBuilder()
                        .setEpoch(m.epoch())
                        .setBlock(m.block())
                        .setIteration(m.iteration())
                        .setStored(m.stored());
            case RollbackMessage.GroupCheckpoint m ->
                envelope.getGroupCheckpointBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .setEpoch(m.epoch())
                        .setIteration(m.iteration())
                        .setStored(m.stored());
            case RollbackMessage.RollbackRequest m ->
                envelope.getRollbackRequestBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .setEpoch(m.epoch());
            case RollbackMessage.BeginEpoch m -> envelope.getBeginEpochBuilder().setEpoch(m.epoch());
            case RollbackMessage.BlockGenerations m ->
                envelope.getBlockGenerationsBuilder()
                        .setEpoch(m.epoch())
                        .setBlock(m.block())
                        .addAllGenerations(each(m.generations(), RollbackCodec::write));
            case RollbackMessage.GroupGenerations m ->
                envelope.getGroupGenerationsBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .setEpoch(m.epoch())
                        .addAllGenerations(each(m.generations(), RollbackCodec::write));
            case RollbackMessage.ResumeFrom m -> {
                envelope.getResumeFromBuilder().setEpoch(m.epoch());
                m.from().ifPresent(from -> envelope.getResumeFromBuilder().setFrom(write(from)));
            }
        }
    }

    /**
     * The payload.
     *
     * @throws IllegalArgumentException if it is of another topic, or cannot be
     */
    static Message read(Envelope envelope) {
        return switch (envelope.getPayloadCase()) {
            case CHECKPOINT_DUE -> {
                var m = envelope.getCheckpointDue();
                yield new RollbackMessage.CheckpointDue(m.getEpoch(), m.getIteration(), m.getAhead());
            }
            case TAKE_CHECKPOINT -> {
                var m = envelope.getTakeCheckpoint();
                yield new RollbackMessage.TakeCheckpoint(m.getEpoch(), m.getSlot(), m.getIteration());
            }
            case CHECKPOINT_TAKEN -> {
                var m = envelope.getCheckpointTaken();
                yield new RollbackMessage.CheckpointTaken(m.getEpoch(), m.getBlock(), m.getIteration(), m.getStored());
            }
            case GROUP_CHECKPOINT -> {
                var m = envelope.getGroupCheckpoint();
                yield new RollbackMessage.GroupCheckpoint(
                        Shapes.read(m.getTerm()), m.getEpoch(), m.getIteration(), m.getStored());
            }
            case ROLLBACK_REQUEST -> {
                var m = envelope.getRollbackRequest();
                yield new RollbackMessage.RollbackRequest(Shapes.read(m.getTerm()), m.getEpoch());
            }
            case BEGIN_EPOCH -> {
                var m = envelope.getBeginEpoch();
                yield new RollbackMessage.BeginEpoch(m.getEpoch());
            }
            case BLOCK_GENERATIONS -> {
                var m = envelope.getBlockGenerations();
                yield new RollbackMessage.BlockGenerations(
                        m.getEpoch(), m.getBlock(), each(m.getGenerationsList(), RollbackCodec::read));
            }
            case GROUP_GENERATIONS -> {
                var m = envelope.getGroupGenerations();
                yield new RollbackMessage.GroupGenerations(
                        Shapes.read(m.getTerm()), m.getEpoch(), each(m.getGenerationsList(), RollbackCodec::read));
            }
            case RESUME_FROM -> {
                var m = envelope.getResumeFrom();
                yield new RollbackMessage.ResumeFrom(
                        m.getEpoch(), m.hasFrom() ? Optional.of(read(m.getFrom())) : Optional.empty());
            }
            default ->
                throw new IllegalArgumentException(
                        "payload is " + envelope.getPayloadCase() + ", which is no rollback message");
        };
    }

    private static dev.volary.mesh.v1.Generation write(CheckpointGeneration generation) {
        return dev.volary.mesh.v1.Generation.newBuilder()
                .setSlot(generation.slot())
                .setEpoch(generation.epoch())
                .setIteration(generation.iteration())
                .build();
    }

    private static CheckpointGeneration read(dev.volary.mesh.v1.Generation generation) {
        return new CheckpointGeneration(generation.getSlot(), generation.getEpoch(), generation.getIteration());
    }
}
