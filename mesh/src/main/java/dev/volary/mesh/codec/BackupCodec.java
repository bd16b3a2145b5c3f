// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.BackupMessage;
import dev.volary.protocol.message.Message;

/** Holders of backups, to and from the payload of an {@link Envelope}. */
final class BackupCodec {
    private BackupCodec() {}

    /** Sets the payload. */
    static void write(Envelope.Builder envelope, BackupMessage message) {
        switch (message) {
            case BackupMessage.HolderReport m ->
                envelope.getHolderReportBuilder()
                        .setHolder(Shapes.write(m.holder()))
                        .setCopies(m.copies())
                        .setVersion(m.version())
                        .setWarmedUp(m.warmedUp());
            case BackupMessage.HolderListUpdate m ->
                envelope.getHolderListUpdateBuilder()
                        .setVersion(m.version())
                        .addAllHolders(each(m.holders(), Shapes::write));
            case BackupMessage.BuddyHolders m ->
                envelope.getBuddyHoldersBuilder().setAsks(m.asks()).addAllGroups(each(m.groups(), Shapes::write));
        }
    }

    /**
     * The payload.
     *
     * @throws IllegalArgumentException if it is of another topic, or cannot be
     */
    static Message read(Envelope envelope) {
        return switch (envelope.getPayloadCase()) {
            case HOLDER_REPORT -> {
                var m = envelope.getHolderReport();
                yield new BackupMessage.HolderReport(
                        Shapes.read(m.getHolder()), m.getCopies(), m.getVersion(), m.getWarmedUp());
            }
            case HOLDER_LIST_UPDATE -> {
                var m = envelope.getHolderListUpdate();
                yield new BackupMessage.HolderListUpdate(m.getVersion(), each(m.getHoldersList(), Shapes::read));
            }
            case BUDDY_HOLDERS -> {
                var m = envelope.getBuddyHolders();
                yield new BackupMessage.BuddyHolders(m.getAsks(), each(m.getGroupsList(), Shapes::read));
            }
            default ->
                throw new IllegalArgumentException(
                        "payload is " + envelope.getPayloadCase() + ", which is no backup message");
        };
    }
}
