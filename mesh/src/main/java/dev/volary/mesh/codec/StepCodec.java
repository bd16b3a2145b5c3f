// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.StepMessage;
import java.util.Optional;

/** Committed time steps, to and from the payload of an {@link Envelope}. */
final class StepCodec {
    private StepCodec() {}

    /** Sets the payload. */
    static void write(Envelope.Builder envelope, StepMessage message) {
        switch (message) {
            case StepMessage.StepCommit m -> envelope.getStepCommitBuilder().setRecord(Shapes.write(m.record()));
            case StepMessage.KnownSteps m -> {
                var known = envelope.getKnownStepsBuilder();
                m.newest().map(Shapes::write).ifPresent(known::setNewest);
                m.stored().map(Shapes::write).ifPresent(known::setStored);
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
            case STEP_COMMIT ->
                new StepMessage.StepCommit(Shapes.read(envelope.getStepCommit().getRecord()));
            case KNOWN_STEPS -> {
                var m = envelope.getKnownSteps();
                yield new StepMessage.KnownSteps(
                        m.hasNewest() ? Optional.of(Shapes.read(m.getNewest())) : Optional.empty(),
                        m.hasStored() ? Optional.of(Shapes.read(m.getStored())) : Optional.empty());
            }
            default ->
                throw new IllegalArgumentException(
                        "payload is " + envelope.getPayloadCase() + ", which is no step message");
        };
    }
}
