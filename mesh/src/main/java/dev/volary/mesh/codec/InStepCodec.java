// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.CheckpointGeneration;
import dev.volary.protocol.Message;
import dev.volary.protocol.Message.InStep;
import java.util.Optional;

/** What only synchronous jobs say, to and from the payload of an {@link Envelope}. */
final class InStepCodec {
    private InStepCodec() {}

    /** Sets the payload. */
    static Envelope.Builder write(Envelope.Builder envelope, InStep message) {
        switch (message) {
            case InStep.CheckpointDue m ->
                envelope.getCheckpointDueBuilder()
                        .setEpoch(m.epoch())
                        .setIteration(m.iteration())
                        .setAhead(m.ahead());
            case InStep.TakeCheckpoint m ->
                envelope.getCheckpointAtBuilder()
                        .setEpoch(m.epoch())
                        .setSlot(m.slot())
                        .setIteration(m.iteration());
            case InStep.CheckpointTaken m ->
                envelope.getCheckpointTakenBuilder()
                        .setEpoch(m.epoch())
                        .setBlock(m.block())
                        .setIteration(m.iteration())
                        .setStored(m.stored());
            case InStep.GroupCheckpoint m ->
                envelope.getGroupCheckpointBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .setEpoch(m.epoch())
                        .setIteration(m.iteration())
                        .setStored(m.stored());
            case InStep.RollbackRequest m ->
                envelope.getRollbackDueBuilder().setTerm(Shapes.write(m.term())).setEpoch(m.epoch());
            case InStep.BeginEpoch m -> envelope.getRollbackBuilder().setEpoch(m.epoch());
            case InStep.BlockGenerations m ->
                envelope.getHeldGenerationsBuilder()
                        .setEpoch(m.epoch())
                        .setBlock(m.block())
                        .addAllGenerations(each(m.generations(), InStepCodec::write));
            case InStep.GroupGenerations m ->
                envelope.getGroupGenerationsBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .setEpoch(m.epoch())
                        .addAllGenerations(each(m.generations(), InStepCodec::write));
            case InStep.ResumeFrom m -> {
                envelope.getResumeBuilder().setEpoch(m.epoch());
                m.from().ifPresent(from -> envelope.getResumeBuilder().setFrom(write(from)));
            }
            case InStep.TestPassed m ->
                envelope.getStepHeldBuilder().setEpoch(m.epoch()).setIteration(m.iteration());
            case InStep.TestQuery m ->
                envelope.getStepQueryBuilder().setEpoch(m.epoch()).setIteration(m.iteration());
            case InStep.TestAnswer m ->
                envelope.getStepAnswerBuilder()
                        .setEpoch(m.epoch())
                        .setBlock(m.block())
                        .setIteration(m.iteration())
                        .setPassed(m.passed());
            case InStep.GroupTestAnswer m ->
                envelope.getGroupStepBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .setEpoch(m.epoch())
                        .setIteration(m.iteration())
                        .setPassed(m.passed());
            case InStep.Proceed m ->
                envelope.getProceedBuilder().setEpoch(m.epoch()).setIteration(m.iteration());
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
                yield new InStep.CheckpointDue(m.getEpoch(), m.getIteration(), m.getAhead());
            }
            case CHECKPOINT_AT -> {
                var m = envelope.getCheckpointAt();
                yield new InStep.TakeCheckpoint(m.getEpoch(), m.getSlot(), m.getIteration());
            }
            case CHECKPOINT_TAKEN -> {
                var m = envelope.getCheckpointTaken();
                yield new InStep.CheckpointTaken(m.getEpoch(), m.getBlock(), m.getIteration(), m.getStored());
            }
            case GROUP_CHECKPOINT -> {
                var m = envelope.getGroupCheckpoint();
                yield new InStep.GroupCheckpoint(
                        Shapes.read(m.getTerm()), m.getEpoch(), m.getIteration(), m.getStored());
            }
            case ROLLBACK_DUE -> {
                var m = envelope.getRollbackDue();
                yield new InStep.RollbackRequest(Shapes.read(m.getTerm()), m.getEpoch());
            }
            case ROLLBACK -> {
                var m = envelope.getRollback();
                yield new InStep.BeginEpoch(m.getEpoch());
            }
            case HELD_GENERATIONS -> {
                var m = envelope.getHeldGenerations();
                yield new InStep.BlockGenerations(
                        m.getEpoch(), m.getBlock(), each(m.getGenerationsList(), InStepCodec::read));
            }
            case GROUP_GENERATIONS -> {
                var m = envelope.getGroupGenerations();
                yield new InStep.GroupGenerations(
                        Shapes.read(m.getTerm()), m.getEpoch(), each(m.getGenerationsList(), InStepCodec::read));
            }
            case RESUME -> {
                var m = envelope.getResume();
                yield new InStep.ResumeFrom(
                        m.getEpoch(), m.hasFrom() ? Optional.of(read(m.getFrom())) : Optional.empty());
            }
            case STEP_HELD -> {
                var m = envelope.getStepHeld();
                yield new InStep.TestPassed(m.getEpoch(), m.getIteration());
            }
            case STEP_QUERY -> {
                var m = envelope.getStepQuery();
                yield new InStep.TestQuery(m.getEpoch(), m.getIteration());
            }
            case STEP_ANSWER -> {
                var m = envelope.getStepAnswer();
                yield new InStep.TestAnswer(m.getEpoch(), m.getBlock(), m.getIteration(), m.getPassed());
            }
            case GROUP_STEP -> {
                var m = envelope.getGroupStep();
                yield new InStep.GroupTestAnswer(
                        Shapes.read(m.getTerm()), m.getEpoch(), m.getIteration(), m.getPassed());
            }
            case PROCEED -> {
                var m = envelope.getProceed();
                yield new InStep.Proceed(m.getEpoch(), m.getIteration());
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
