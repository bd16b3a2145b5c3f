// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.SnapshotMessage;

/** Certified snapshots, to and from the payload of an {@link Envelope}. */
final class SnapshotCodec {
    private SnapshotCodec() {}

    /** Sets the payload. */
    static void write(Envelope.Builder envelope, SnapshotMessage message) {
        switch (message) {
            case SnapshotMessage.RecordBlocks m ->
                envelope.getRecordBlocksBuilder().setStep(m.step()).setSid(m.sid());
            case SnapshotMessage.SnapshotHaloRequest m ->
                envelope.getSnapshotHaloRequestBuilder()
                        .setSid(m.sid())
                        .setFrom(m.from())
                        .setTo(m.to());
            case SnapshotMessage.SnapshotPart m ->
                envelope.getSnapshotPartBuilder()
                        .setSid(m.sid())
                        .setOwn(Shapes.write(m.own()))
                        .addAllUsed(each(m.used(), Shapes::write))
                        .setResidual(Shapes.write(m.residual()))
                        .setIteration(m.iteration())
                        .setCostNanos(m.costNanos());
            case SnapshotMessage.SnapshotGroupPart m ->
                envelope.getSnapshotGroupPartBuilder()
                        .setSid(m.sid())
                        .setTerm(Shapes.write(m.term()))
                        .setBlocks(m.blocks())
                        .addAllBoundary(each(m.boundary(), Shapes::write))
                        .addAllUsed(each(m.used(), Shapes::write))
                        .addAllBroken(m.broken())
                        .setResidual(Shapes.write(m.residual()))
                        .setIterations(m.iterations())
                        .setDigest(m.digest())
                        .setCostNanos(m.costNanos());
            case SnapshotMessage.Reevaluate m ->
                envelope.getReevaluateBuilder().setSid(m.sid()).addAllTruth(each(m.truth(), Shapes::write));
            case SnapshotMessage.Aborted m ->
                envelope.getAbortedBuilder().setSid(m.sid()).setTerm(Shapes.write(m.term()));
            case SnapshotMessage.Discard m ->
                envelope.getDiscardBuilder().setSid(m.sid()).setResidual(m.residual());
            case SnapshotMessage.SnapshotStore m ->
                envelope.getSnapshotStoreBuilder().setSid(m.sid());
            case SnapshotMessage.SnapshotStored m ->
                envelope.getSnapshotStoredBuilder()
                        .setSid(m.sid())
                        .setPart(Shapes.write(m.part()))
                        .setChecksum(m.checksum());
            case SnapshotMessage.SnapshotGroupStored m ->
                envelope.getSnapshotGroupStoredBuilder()
                        .setSid(m.sid())
                        .setTerm(Shapes.write(m.term()))
                        .addAllParts(each(m.parts(), Shapes::write));
            case SnapshotMessage.StoreFailed m ->
                envelope.getStoreFailedBuilder()
                        .setSid(m.sid())
                        .setBlock(m.block())
                        .setReason(m.reason())
                        .setIsTemporary(m.isTemporary());
        }
    }

    /**
     * The payload.
     *
     * @throws IllegalArgumentException if it is of another topic, or cannot be
     */
    static Message read(Envelope envelope) {
        return switch (envelope.getPayloadCase()) {
            case RECORD_BLOCKS -> {
                var m = envelope.getRecordBlocks();
                yield new SnapshotMessage.RecordBlocks(m.getStep(), m.getSid());
            }
            case SNAPSHOT_HALO_REQUEST -> {
                var m = envelope.getSnapshotHaloRequest();
                yield new SnapshotMessage.SnapshotHaloRequest(m.getSid(), m.getFrom(), m.getTo());
            }
            case SNAPSHOT_PART -> {
                var m = envelope.getSnapshotPart();
                yield new SnapshotMessage.SnapshotPart(
                        m.getSid(),
                        Shapes.read(m.getOwn()),
                        each(m.getUsedList(), Shapes::read),
                        Shapes.read(m.getResidual()),
                        m.getIteration(),
                        m.getCostNanos());
            }
            case SNAPSHOT_GROUP_PART -> {
                var m = envelope.getSnapshotGroupPart();
                yield new SnapshotMessage.SnapshotGroupPart(
                        m.getSid(),
                        Shapes.read(m.getTerm()),
                        m.getBlocks(),
                        each(m.getBoundaryList(), Shapes::read),
                        each(m.getUsedList(), Shapes::read),
                        m.getBrokenList(),
                        Shapes.read(m.getResidual()),
                        m.getIterations(),
                        m.getDigest(),
                        m.getCostNanos());
            }
            case REEVALUATE -> {
                var m = envelope.getReevaluate();
                yield new SnapshotMessage.Reevaluate(m.getSid(), each(m.getTruthList(), Shapes::read));
            }
            case ABORTED -> {
                var m = envelope.getAborted();
                yield new SnapshotMessage.Aborted(m.getSid(), Shapes.read(m.getTerm()));
            }
            case DISCARD -> {
                var m = envelope.getDiscard();
                yield new SnapshotMessage.Discard(m.getSid(), m.getResidual());
            }
            case SNAPSHOT_STORE ->
                new SnapshotMessage.SnapshotStore(envelope.getSnapshotStore().getSid());
            case SNAPSHOT_STORED -> {
                var m = envelope.getSnapshotStored();
                yield new SnapshotMessage.SnapshotStored(m.getSid(), Shapes.read(m.getPart()), m.getChecksum());
            }
            case SNAPSHOT_GROUP_STORED -> {
                var m = envelope.getSnapshotGroupStored();
                yield new SnapshotMessage.SnapshotGroupStored(
                        m.getSid(), Shapes.read(m.getTerm()), each(m.getPartsList(), Shapes::read));
            }
            case STORE_FAILED -> {
                var m = envelope.getStoreFailed();
                yield new SnapshotMessage.StoreFailed(m.getSid(), m.getBlock(), m.getReason(), m.getIsTemporary());
            }
            default ->
                throw new IllegalArgumentException(
                        "payload is " + envelope.getPayloadCase() + ", which is no snapshot message");
        };
    }
}
