// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.RollbackMessage;
import dev.volary.protocol.model.CheckpointGeneration;
import java.util.Optional;

/** Rollback and convergence detection, to and from the payload of an {@link Envelope}. */
final class InStepCodec {
    private InStepCodec() {}

    /** Sets the payload. */
    static Envelope.Builder write(Envelope.Builder envelope, RollbackMessage message) {
        switch (message) {
            case RollbackMessage.CheckpointDue m ->
                envelope.getCheckpointDueBuilder()
                        .setEpoch(m.epoch())
                        .setIteration(m.iteration())
                        .setAhead(m.ahead());
            case RollbackMessage.TakeCheckpoint m ->
                envelope.getCheckpointAtBuilder()
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
                envelope.getRollbackDueBuilder().setTerm(Shapes.write(m.term())).setEpoch(m.epoch());
            case RollbackMessage.BeginEpoch m -> envelope.getRollbackBuilder().setEpoch(m.epoch());
            case RollbackMessage.BlockGenerations m ->
                envelope.getHeldGenerationsBuilder()
                        .setEpoch(m.epoch())
                        .setBlock(m.block())
                        .addAllGenerations(each(m.generations(), InStepCodec::write));
            case RollbackMessage.GroupGenerations m ->
                envelope.getGroupGenerationsBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .setEpoch(m.epoch())
                        .addAllGenerations(each(m.generations(), InStepCodec::write));
            case RollbackMessage.ResumeFrom m -> {
                envelope.getResumeBuilder().setEpoch(m.epoch());
                m.from().ifPresent(from -> envelope.getResumeBuilder().setFrom(write(from)));
            }
        }
        return envelope;
    }

    /** Sets the payload. */
    static Envelope.Builder write(Envelope.Builder envelope, DetectionMessage message) {
        switch (message) {
            case DetectionMessage.TestPassed m ->
                envelope.getStepHeldBuilder().setEpoch(m.epoch()).setIteration(m.iteration());
            case DetectionMessage.TestQuery m ->
                envelope.getStepQueryBuilder().setEpoch(m.epoch()).setIteration(m.iteration());
            case DetectionMessage.TestAnswer m ->
                envelope.getStepAnswerBuilder()
                        .setEpoch(m.epoch())
                        .setBlock(m.block())
                        .setIteration(m.iteration())
                        .setPassed(m.passed());
            case DetectionMessage.GroupTestAnswer m ->
                envelope.getGroupStepBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .setEpoch(m.epoch())
                        .setIteration(m.iteration())
                        .setPassed(m.passed());
            case DetectionMessage.Proceed m ->
                envelope.getProceedBuilder().setEpoch(m.epoch()).setIteration(m.iteration());
            case DetectionMessage.Vote m -> envelope.setVote(VoteCodec.write(m));
            case DetectionMessage.VoteAck m -> envelope.getVoteHeardBuilder().setVote(VoteCodec.write(m.vote()));
            case DetectionMessage.ConvergenceClaim m ->
                envelope.getClaimBuilder().setPhase(m.phase());
        }
        return envelope;
    }

    /**
     * The payload.
     *
     * @throws IllegalArgumentException if it is none of lock-step, or cannot be, such as a checkpoint's slot of 2
     */
    static Message read(Envelope envelope) {
        return switch (envelope.getPayloadCase()) {
            case CHECKPOINT_DUE -> {
                var m = envelope.getCheckpointDue();
                yield new RollbackMessage.CheckpointDue(m.getEpoch(), m.getIteration(), m.getAhead());
            }
            case CHECKPOINT_AT -> {
                var m = envelope.getCheckpointAt();
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
            case ROLLBACK_DUE -> {
                var m = envelope.getRollbackDue();
                yield new RollbackMessage.RollbackRequest(Shapes.read(m.getTerm()), m.getEpoch());
            }
            case ROLLBACK -> {
                var m = envelope.getRollback();
                yield new RollbackMessage.BeginEpoch(m.getEpoch());
            }
            case HELD_GENERATIONS -> {
                var m = envelope.getHeldGenerations();
                yield new RollbackMessage.BlockGenerations(
                        m.getEpoch(), m.getBlock(), each(m.getGenerationsList(), InStepCodec::read));
            }
            case GROUP_GENERATIONS -> {
                var m = envelope.getGroupGenerations();
                yield new RollbackMessage.GroupGenerations(
                        Shapes.read(m.getTerm()), m.getEpoch(), each(m.getGenerationsList(), InStepCodec::read));
            }
            case RESUME -> {
                var m = envelope.getResume();
                yield new RollbackMessage.ResumeFrom(
                        m.getEpoch(), m.hasFrom() ? Optional.of(read(m.getFrom())) : Optional.empty());
            }
            case STEP_HELD -> {
                var m = envelope.getStepHeld();
                yield new DetectionMessage.TestPassed(m.getEpoch(), m.getIteration());
            }
            case STEP_QUERY -> {
                var m = envelope.getStepQuery();
                yield new DetectionMessage.TestQuery(m.getEpoch(), m.getIteration());
            }
            case STEP_ANSWER -> {
                var m = envelope.getStepAnswer();
                yield new DetectionMessage.TestAnswer(m.getEpoch(), m.getBlock(), m.getIteration(), m.getPassed());
            }
            case GROUP_STEP -> {
                var m = envelope.getGroupStep();
                yield new DetectionMessage.GroupTestAnswer(
                        Shapes.read(m.getTerm()), m.getEpoch(), m.getIteration(), m.getPassed());
            }
            case PROCEED -> {
                var m = envelope.getProceed();
                yield new DetectionMessage.Proceed(m.getEpoch(), m.getIteration());
            }
            default ->
                throw new IllegalArgumentException(
                        "payload is " + envelope.getPayloadCase() + ", must be one of lock-step");
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
