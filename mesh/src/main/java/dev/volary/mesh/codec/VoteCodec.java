// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import dev.volary.mesh.v1.Vote;
import dev.volary.mesh.v1.VoteKind;
import dev.volary.protocol.message.DetectionMessage;

/** Votes in the verification tree, to and from protobuf. */
final class VoteCodec {
    private VoteCodec() {}

    static Vote write(DetectionMessage.Vote vote) {
        return Vote.newBuilder()
                .setFrom(vote.from())
                .setTo(vote.to())
                .setKind(
                        switch (vote.kind()) {
                            case PARTIAL -> VoteKind.VOTE_KIND_PARTIAL;
                            case VERIFY -> VoteKind.VOTE_KIND_VERIFY;
                            case PASSED -> VoteKind.VOTE_KIND_PASSED;
                            case FAILED -> VoteKind.VOTE_KIND_FAILED;
                            case RESTART -> VoteKind.VOTE_KIND_RESTART;
                        })
                .setPhase(vote.phase())
                .build();
    }

    /** @throws IllegalArgumentException if its kind is none of those listed */
    static DetectionMessage.Vote read(Vote vote) {
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
