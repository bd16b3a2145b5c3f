// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.TakeoverMessage;

/** What spawners and daemons say when groups change hands, to and from protobuf. */
final class GroupCodec {
    private GroupCodec() {}

    static Envelope.Builder write(Envelope.Builder envelope, TakeoverMessage.DirectoryReplica copy) {
        envelope.getGroupCopyBuilder()
                .setTerm(Shapes.write(copy.term()))
                .setVersion(copy.version())
                .addAllBlocks(copy.blocks())
                .addAllEntries(each(copy.entries(), Shapes::write))
                .addAllDaemons(each(copy.daemons(), Shapes::write));
        return envelope;
    }

    static Envelope.Builder write(Envelope.Builder envelope, TakeoverMessage.DirectoryReplicaAck copied) {
        envelope.getGroupCopiedBuilder().setTerm(Shapes.write(copied.term())).setVersion(copied.version());
        return envelope;
    }

    static Envelope.Builder write(Envelope.Builder envelope, TakeoverMessage.OwnershipClaim owned) {
        envelope.getGroupOwnedBuilder()
                .setTerm(Shapes.write(owned.term()))
                .setSpawner(Shapes.write(owned.spawner()))
                .addAllBlocks(owned.blocks());
        return envelope;
    }

    static Envelope.Builder write(Envelope.Builder envelope, TakeoverMessage.OwnershipClaimAck heard) {
        envelope.getGroupOwnedHeardBuilder().setTerm(Shapes.write(heard.term()));
        return envelope;
    }

    static Envelope.Builder write(Envelope.Builder envelope, RegistrationMessage.GroupAdopted takeover) {
        envelope.getTakeoverBuilder().setTerm(Shapes.write(takeover.term()));
        return envelope;
    }

    static Envelope.Builder write(Envelope.Builder envelope, RegistrationMessage.TransferDaemon transfer) {
        envelope.getTransferBuilder().setSpawner(Shapes.write(transfer.spawner()));
        return envelope;
    }

    static Envelope.Builder write(Envelope.Builder envelope, TakeoverMessage.BlocksOffered offer) {
        envelope.getBlocksOfferedBuilder()
                .setSpawner(Shapes.write(offer.spawner()))
                .addAllBlocks(offer.blocks())
                .addAllEntries(each(offer.entries(), Shapes::write))
                .addAllCopies(each(offer.copies(), Shapes::write));
        return envelope;
    }

    static Message read(dev.volary.mesh.v1.GroupCopy m) {
        return new TakeoverMessage.DirectoryReplica(
                Shapes.read(m.getTerm()),
                m.getVersion(),
                m.getBlocksList(),
                each(m.getEntriesList(), Shapes::read),
                each(m.getDaemonsList(), Shapes::read));
    }

    static Message read(dev.volary.mesh.v1.GroupCopied m) {
        return new TakeoverMessage.DirectoryReplicaAck(Shapes.read(m.getTerm()), m.getVersion());
    }

    static Message read(dev.volary.mesh.v1.GroupOwned m) {
        return new TakeoverMessage.OwnershipClaim(
                Shapes.read(m.getTerm()), Shapes.read(m.getSpawner()), m.getBlocksList());
    }

    static Message read(dev.volary.mesh.v1.GroupOwnedHeard m) {
        return new TakeoverMessage.OwnershipClaimAck(Shapes.read(m.getTerm()));
    }

    static Message read(dev.volary.mesh.v1.Takeover m) {
        return new RegistrationMessage.GroupAdopted(Shapes.read(m.getTerm()));
    }

    static Message read(dev.volary.mesh.v1.Transfer m) {
        return new RegistrationMessage.TransferDaemon(Shapes.read(m.getSpawner()));
    }

    static Message read(dev.volary.mesh.v1.BlocksOffered m) {
        return new TakeoverMessage.BlocksOffered(
                Shapes.read(m.getSpawner()),
                m.getBlocksList(),
                each(m.getEntriesList(), Shapes::read),
                each(m.getCopiesList(), Shapes::read));
    }
}
