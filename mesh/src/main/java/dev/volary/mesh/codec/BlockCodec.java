// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.Message;

/** Blocks: who computes them, and what neighbors ask of each other, to and from the payload of an {@link Envelope}. */
final class BlockCodec {
    private BlockCodec() {}

    /** Sets the payload. */
    static void write(Envelope.Builder envelope, BlockMessage message) {
        switch (message) {
            case BlockMessage.Assign m ->
                envelope.getAssignBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .addAllBlocks(each(m.blocks(), Shapes::write))
                        .addAllCopies(each(m.copies(), Shapes::write));
            case BlockMessage.DirectoryUpdate m ->
                envelope.getDirectoryUpdateBuilder()
                        .setVersion(m.version())
                        .addAllEntries(each(m.entries(), Shapes::write));
            case BlockMessage.DirectoryAck m ->
                envelope.getDirectoryAckBuilder().setVersion(m.version());
            case BlockMessage.DirectoryRequest m ->
                envelope.getDirectoryRequestBuilder().addAllBlocks(m.blocks());
            case BlockMessage.BlockMoved m -> envelope.getBlockMovedBuilder().setEntry(Shapes.write(m.entry()));
            case BlockMessage.BlockHello m ->
                envelope.getBlockHelloBuilder()
                        .setFrom(m.from())
                        .setIncarnation(Shapes.write(m.incarnation()))
                        .setTo(m.to());
            case BlockMessage.StaleIncarnation m ->
                envelope.getStaleIncarnationBuilder().setBlock(m.block()).setNewest(Shapes.write(m.newest()));
            case BlockMessage.HaloRequest m ->
                envelope.getHaloRequestBuilder()
                        .setFrom(m.from())
                        .setTo(m.to())
                        .setStep(m.step())
                        .setIteration(m.iteration());
            case BlockMessage.BlockFailed m ->
                envelope.getBlockFailedBuilder()
                        .setBlock(m.block())
                        .setIncarnation(Shapes.write(m.incarnation()))
                        .setReason(m.reason())
                        .setFatal(m.fatal());
        }
    }

    /**
     * The payload.
     *
     * @throws IllegalArgumentException if it is of another topic, or cannot be
     */
    static Message read(Envelope envelope) {
        return switch (envelope.getPayloadCase()) {
            case ASSIGN -> {
                var m = envelope.getAssign();
                yield new BlockMessage.Assign(
                        Shapes.read(m.getTerm()),
                        each(m.getBlocksList(), Shapes::read),
                        each(m.getCopiesList(), Shapes::read));
            }
            case DIRECTORY_UPDATE -> {
                var m = envelope.getDirectoryUpdate();
                yield new BlockMessage.DirectoryUpdate(m.getVersion(), each(m.getEntriesList(), Shapes::read));
            }
            case DIRECTORY_ACK ->
                new BlockMessage.DirectoryAck(envelope.getDirectoryAck().getVersion());
            case DIRECTORY_REQUEST ->
                new BlockMessage.DirectoryRequest(envelope.getDirectoryRequest().getBlocksList());
            case BLOCK_MOVED ->
                new BlockMessage.BlockMoved(Shapes.read(envelope.getBlockMoved().getEntry()));
            case BLOCK_HELLO -> {
                var m = envelope.getBlockHello();
                yield new BlockMessage.BlockHello(m.getFrom(), Shapes.read(m.getIncarnation()), m.getTo());
            }
            case STALE_INCARNATION -> {
                var m = envelope.getStaleIncarnation();
                yield new BlockMessage.StaleIncarnation(m.getBlock(), Shapes.read(m.getNewest()));
            }
            case HALO_REQUEST -> {
                var m = envelope.getHaloRequest();
                yield new BlockMessage.HaloRequest(m.getFrom(), m.getTo(), m.getStep(), m.getIteration());
            }
            case BLOCK_FAILED -> {
                var m = envelope.getBlockFailed();
                yield new BlockMessage.BlockFailed(
                        m.getBlock(), Shapes.read(m.getIncarnation()), m.getReason(), m.getFatal());
            }
            default ->
                throw new IllegalArgumentException(
                        "payload is " + envelope.getPayloadCase() + ", which is no block message");
        };
    }
}
