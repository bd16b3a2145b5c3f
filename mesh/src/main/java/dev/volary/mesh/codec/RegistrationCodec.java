// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.WorkerId;
import java.util.Optional;

/** Daemons that join, change or leave a group, to and from the payload of an {@link Envelope}. */
final class RegistrationCodec {
    private RegistrationCodec() {}

    /** Sets the payload. */
    static void write(Envelope.Builder envelope, RegistrationMessage message) {
        switch (message) {
            case RegistrationMessage.Register m ->
                envelope.getRegisterBuilder()
                        .setDaemon(Shapes.write(m.daemon()))
                        .setOwner(m.owner().map(WorkerId::value).orElse(0L));
            case RegistrationMessage.Registered m ->
                envelope.getRegisteredBuilder().setTerm(Shapes.write(m.term()));
            case RegistrationMessage.RegisterElsewhere m ->
                envelope.getRegisterElsewhereBuilder().setSpawner(Shapes.write(m.spawner()));
            case RegistrationMessage.Leaving m ->
                envelope.getLeavingBuilder().setDaemon(m.daemon().value()).addAllBusy(m.busy());
            case RegistrationMessage.Evicted m -> envelope.getEvictedBuilder();
            case RegistrationMessage.SpawnerLost m ->
                envelope.getSpawnerLostBuilder()
                        .setDaemon(Shapes.write(m.daemon()))
                        .setSpawner(m.spawner().value());
            case RegistrationMessage.GroupAdopted m ->
                envelope.getGroupAdoptedBuilder().setTerm(Shapes.write(m.term()));
            case RegistrationMessage.TransferDaemon m ->
                envelope.getTransferDaemonBuilder().setSpawner(Shapes.write(m.spawner()));
        }
    }

    /**
     * The payload.
     *
     * @throws IllegalArgumentException if it is of another topic, or cannot be
     */
    static Message read(Envelope envelope) {
        return switch (envelope.getPayloadCase()) {
            case REGISTER ->
                new RegistrationMessage.Register(
                        Shapes.read(envelope.getRegister().getDaemon()),
                        Optional.of(envelope.getRegister().getOwner())
                                .filter(owner -> owner != 0)
                                .map(WorkerId::new));
            case REGISTERED ->
                new RegistrationMessage.Registered(
                        Shapes.read(envelope.getRegistered().getTerm()));
            case REGISTER_ELSEWHERE ->
                new RegistrationMessage.RegisterElsewhere(
                        Shapes.read(envelope.getRegisterElsewhere().getSpawner()));
            case LEAVING -> {
                var m = envelope.getLeaving();
                yield new RegistrationMessage.Leaving(new WorkerId(m.getDaemon()), m.getBusyList());
            }
            case SPAWNER_LOST -> {
                var m = envelope.getSpawnerLost();
                yield new RegistrationMessage.SpawnerLost(Shapes.read(m.getDaemon()), new WorkerId(m.getSpawner()));
            }
            case EVICTED -> new RegistrationMessage.Evicted();
            case GROUP_ADOPTED -> {
                var m = envelope.getGroupAdopted();
                yield new RegistrationMessage.GroupAdopted(Shapes.read(m.getTerm()));
            }
            case TRANSFER_DAEMON -> {
                var m = envelope.getTransferDaemon();
                yield new RegistrationMessage.TransferDaemon(Shapes.read(m.getSpawner()));
            }
            default ->
                throw new IllegalArgumentException(
                        "payload is " + envelope.getPayloadCase() + ", which is no registration message");
        };
    }
}
