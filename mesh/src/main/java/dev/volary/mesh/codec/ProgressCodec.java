// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.ProgressMessage;

/** Reports of progress, to and from the payload of an {@link Envelope}. */
final class ProgressCodec {
    private ProgressCodec() {}

    /** Sets the payload. */
    static void write(Envelope.Builder envelope, ProgressMessage message) {
        switch (message) {
            case ProgressMessage.GroupReport m ->
                envelope.getGroupReportBuilder()
                        .setSpawner(Shapes.write(m.spawner()))
                        .addAllDaemons(each(m.daemons(), Shapes::write))
                        .addAllHeld(each(m.held(), Shapes::write));
            case ProgressMessage.DaemonReport m -> envelope.setDaemonReport(Shapes.write(m));
            case ProgressMessage.GroupProgress m ->
                envelope.getGroupProgressBuilder()
                        .setTerm(Shapes.write(m.term()))
                        .addAllDaemons(each(m.daemons(), Shapes::write));
        }
    }

    /**
     * The payload.
     *
     * @throws IllegalArgumentException if it is of another topic, or cannot be
     */
    static Message read(Envelope envelope) {
        return switch (envelope.getPayloadCase()) {
            case GROUP_REPORT -> {
                var m = envelope.getGroupReport();
                yield new ProgressMessage.GroupReport(
                        Shapes.read(m.getSpawner()),
                        each(m.getDaemonsList(), Shapes::read),
                        each(m.getHeldList(), Shapes::read));
            }
            case DAEMON_REPORT -> Shapes.read(envelope.getDaemonReport());
            case GROUP_PROGRESS -> {
                var m = envelope.getGroupProgress();
                yield new ProgressMessage.GroupProgress(
                        Shapes.read(m.getTerm()), each(m.getDaemonsList(), Shapes::read));
            }
            default ->
                throw new IllegalArgumentException(
                        "payload is " + envelope.getPayloadCase() + ", which is no progress message");
        };
    }
}
