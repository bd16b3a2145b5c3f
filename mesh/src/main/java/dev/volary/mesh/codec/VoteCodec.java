// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import dev.volary.mesh.v1.Vote;
import dev.volary.mesh.v1.VoteKind;
import dev.volary.protocol.Message;

/** Votes in the verification tree, to and from protobuf. */
final class VoteCodec {
    private VoteCodec() {}

    static Vote write(Message.Vote vote) {
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
    static Message.Vote read(Vote vote) {
        Message.VoteKind kind =
                switch (vote.getKind()) {
                    case VOTE_KIND_PARTIAL -> Message.VoteKind.PARTIAL;
                    case VOTE_KIND_VERIFY -> Message.VoteKind.VERIFY;
                    case VOTE_KIND_PASSED -> Message.VoteKind.PASSED;
                    case VOTE_KIND_FAILED -> Message.VoteKind.FAILED;
                    case VOTE_KIND_RESTART -> Message.VoteKind.RESTART;
                    case VOTE_KIND_UNSPECIFIED, UNRECOGNIZED ->
                        throw new IllegalArgumentException(
                                "kind of a vote is " + vote.getKind() + ", must be one of those listed");
                };
        return new Message.Vote(vote.getFrom(), vote.getTo(), kind, vote.getPhase());
    }
}
