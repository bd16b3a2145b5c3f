// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.Message;

/** Convergence detection by tokens and by the verification tree, to and from the payload of an {@link Envelope}. */
final class DetectionCodec {
    private DetectionCodec() {}

    /** Sets the payload. */
    static void write(Envelope.Builder envelope, DetectionMessage message) {
        switch (message) {
            case DetectionMessage.TestPassed m ->
                envelope.getTestPassedBuilder().setEpoch(m.epoch()).setIteration(m.iteration());
            case DetectionMessage.TestQuery m ->
                envelope.getTestQueryBuilder().setEpoch(m.epoch()).setIteration(m.iteration());
            case DetectionMessage.TestAnswer m ->
                envelope.getTestAnswerBuilder()
                        .setEpoch(m.epoch())
                        .setBlock(m.block())
                        .setIteration(m.iteration())
                        .setPassed(m.passed());
            case DetectionMessage.GroupTestAnswer m ->
                envelope.getGroupTestAnswerBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .setEpoch(m.epoch())
                        .setIteration(m.iteration())
                        .setPassed(m.passed());
            case DetectionMessage.Proceed m ->
                envelope.getProceedBuilder().setEpoch(m.epoch()).setIteration(m.iteration());
            case DetectionMessage.Vote m -> envelope.setVote(write(m));
            case DetectionMessage.VoteAck m -> envelope.getVoteAckBuilder().setVote(write(m.vote()));
            case DetectionMessage.ConvergenceClaim m ->
                envelope.getConvergenceClaimBuilder().setPhase(m.phase());
        }
    }

    /**
     * The payload.
     *
     * @throws IllegalArgumentException if it is of another topic, or cannot be
     */
    static Message read(Envelope envelope) {
        return switch (envelope.getPayloadCase()) {
            case VOTE -> read(envelope.getVote());
            case VOTE_ACK ->
                new DetectionMessage.VoteAck(read(envelope.getVoteAck().getVote()));
            case CONVERGENCE_CLAIM ->
                new DetectionMessage.ConvergenceClaim(
                        envelope.getConvergenceClaim().getPhase());
            case TEST_PASSED -> {
                var m = envelope.getTestPassed();
                yield new DetectionMessage.TestPassed(m.getEpoch(), m.getIteration());
            }
            case TEST_QUERY -> {
                var m = envelope.getTestQuery();
                yield new DetectionMessage.TestQuery(m.getEpoch(), m.getIteration());
            }
            case TEST_ANSWER -> {
                var m = envelope.getTestAnswer();
                yield new DetectionMessage.TestAnswer(m.getEpoch(), m.getBlock(), m.getIteration(), m.getPassed());
            }
            case GROUP_TEST_ANSWER -> {
                var m = envelope.getGroupTestAnswer();
                yield new DetectionMessage.GroupTestAnswer(
                        Shapes.read(m.getTerm()), m.getEpoch(), m.getIteration(), m.getPassed());
            }
            case PROCEED -> {
                var m = envelope.getProceed();
                yield new DetectionMessage.Proceed(m.getEpoch(), m.getIteration());
            }
            default ->
                throw new IllegalArgumentException(
                        "payload is " + envelope.getPayloadCase() + ", which is no detection message");
        };
    }

    private static dev.volary.mesh.v1.Vote write(DetectionMessage.Vote vote) {
        return dev.volary.mesh.v1.Vote.newBuilder()
                .setFrom(vote.from())
                .setTo(vote.to())
                .setKind(
                        switch (vote.kind()) {
                            case PARTIAL -> dev.volary.mesh.v1.VoteKind.VOTE_KIND_PARTIAL;
                            case VERIFY -> dev.volary.mesh.v1.VoteKind.VOTE_KIND_VERIFY;
                            case PASSED -> dev.volary.mesh.v1.VoteKind.VOTE_KIND_PASSED;
                            case FAILED -> dev.volary.mesh.v1.VoteKind.VOTE_KIND_FAILED;
                            case RESTART -> dev.volary.mesh.v1.VoteKind.VOTE_KIND_RESTART;
                        })
                .setPhase(vote.phase())
                .build();
    }

    /** @throws IllegalArgumentException if its kind is none of those listed */
    private static DetectionMessage.Vote read(dev.volary.mesh.v1.Vote vote) {
        DetectionMessage.VoteKind kind =
                switch (vote.getKind()) {
                    case VOTE_KIND_PARTIAL -> DetectionMessage.VoteKind.PARTIAL;
                    case VOTE_KIND_VERIFY -> DetectionMessage.VoteKind.VERIFY;
                    case VOTE_KIND_PASSED -> DetectionMessage.VoteKind.PASSED;
                    case VOTE_KIND_FAILED -> DetectionMessage.VoteKind.FAILED;
                    case VOTE_KIND_RESTART -> DetectionMessage.VoteKind.RESTART;
                    case VOTE_KIND_UNSPECIFIED, UNRECOGNIZED ->
                        throw new IllegalArgumentException(
                                "kind of a vote is " + vote.getKind() + ", must be one of those listed");
                };
        return new DetectionMessage.Vote(vote.getFrom(), vote.getTo(), kind, vote.getPhase());
    }
}
