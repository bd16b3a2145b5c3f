// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.TakeoverMessage;

/** Plans, and groups that change hands, to and from the payload of an {@link Envelope}. */
final class TakeoverCodec {
    private TakeoverCodec() {}

    /** Sets the payload. */
    static void write(Envelope.Builder envelope, TakeoverMessage message) {
        switch (message) {
            case TakeoverMessage.Plan m -> envelope.setPlan(Shapes.write(m));
            case TakeoverMessage.DirectoryReplica m ->
                envelope.getDirectoryReplicaBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .setVersion(m.version())
                        .addAllBlocks(m.blocks())
                        .addAllEntries(each(m.entries(), Shapes::write))
                        .addAllDaemons(each(m.daemons(), Shapes::write));
            case TakeoverMessage.DirectoryReplicaAck m ->
                envelope.getDirectoryReplicaAckBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .setVersion(m.version());
            case TakeoverMessage.OwnershipClaim m ->
                envelope.getOwnershipClaimBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .setSpawner(Shapes.write(m.spawner()))
                        .addAllBlocks(m.blocks());
            case TakeoverMessage.OwnershipClaimAck m ->
                envelope.getOwnershipClaimAckBuilder().setTerm(Shapes.write(m.term()));
            case TakeoverMessage.BlocksOffered m ->
                envelope.getBlocksOfferedBuilder()
                        .setSpawner(Shapes.write(m.spawner()))
                        .addAllBlocks(m.blocks())
                        .addAllEntries(each(m.entries(), Shapes::write))
                        .addAllCopies(each(m.copies(), Shapes::write));
        }
    }

    /**
     * The payload.
     *
     * @throws IllegalArgumentException if it is of another topic, or cannot be
     */
    static Message read(Envelope envelope) {
        return switch (envelope.getPayloadCase()) {
            case PLAN -> Shapes.read(envelope.getPlan());
            case DIRECTORY_REPLICA -> {
                var m = envelope.getDirectoryReplica();
                yield new TakeoverMessage.DirectoryReplica(
                        Shapes.read(m.getTerm()),
                        m.getVersion(),
                        m.getBlocksList(),
                        each(m.getEntriesList(), Shapes::read),
                        each(m.getDaemonsList(), Shapes::read));
            }
            case DIRECTORY_REPLICA_ACK -> {
                var m = envelope.getDirectoryReplicaAck();
                yield new TakeoverMessage.DirectoryReplicaAck(Shapes.read(m.getTerm()), m.getVersion());
            }
            case OWNERSHIP_CLAIM -> {
                var m = envelope.getOwnershipClaim();
                yield new TakeoverMessage.OwnershipClaim(
                        Shapes.read(m.getTerm()), Shapes.read(m.getSpawner()), m.getBlocksList());
            }
            case OWNERSHIP_CLAIM_ACK -> {
                var m = envelope.getOwnershipClaimAck();
                yield new TakeoverMessage.OwnershipClaimAck(Shapes.read(m.getTerm()));
            }
            case BLOCKS_OFFERED -> {
                var m = envelope.getBlocksOffered();
                yield new TakeoverMessage.BlocksOffered(
                        Shapes.read(m.getSpawner()),
                        m.getBlocksList(),
                        each(m.getEntriesList(), Shapes::read),
                        each(m.getCopiesList(), Shapes::read));
            }
            default ->
                throw new IllegalArgumentException(
                        "payload is " + envelope.getPayloadCase() + ", which is no takeover message");
        };
    }
}
