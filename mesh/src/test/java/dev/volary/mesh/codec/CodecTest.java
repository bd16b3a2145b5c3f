// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.volary.mesh.v1.Envelope;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.Scheme;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class CodecTest {

    @Property(tries = 30)
    void everyMessageIsTheSameAfterTheWire(@ForAll long seed) throws InvalidProtocolBufferException {
        Random random = new Random(seed);
        for (Class<?> kind : AnyRecord.kinds(Message.class).toList()) {
            Message message = (Message) AnyRecord.of(kind, random);
            byte[] wire =
                    MessageCodec.write(Envelope.newBuilder(), message).build().toByteArray();
            assertEquals(Optional.of(message), MessageCodec.read(Envelope.parseFrom(wire)));
        }
    }

    @Property(tries = 30)
    void everyEventIsTheSameAfterThePipe(@ForAll long seed) {
        Random random = new Random(seed);
        for (Class<?> kind : JobEvent.class.getPermittedSubclasses()) {
            JobEvent event = (JobEvent) AnyRecord.of(kind, random);
            assertEquals(event, LocalCodec.read(LocalCodec.write(event)));
        }
    }

    @Property(tries = 30)
    void everyOutcomeAndArbiterRecordIsTheSameAfterThePipe(@ForAll long seed) {
        Random random = new Random(seed);
        for (Class<?> kind : JobOutcome.class.getPermittedSubclasses()) {
            JobOutcome outcome = (JobOutcome) AnyRecord.of(kind, random);
            assertEquals(outcome, LocalCodec.read(LocalCodec.write(outcome)));
        }
        LeaderElectionRecord record = (LeaderElectionRecord) AnyRecord.of(LeaderElectionRecord.class, random);
        assertEquals(record, LocalCodec.read(LocalCodec.write(record)));
    }

    @Test
    void everySchemeHasACode() {
        for (Scheme scheme : Scheme.values()) {
            assertEquals(scheme, LocalCodec.read(LocalCodec.write(scheme)));
        }
    }

    @Test
    void anEnvelopeThatOnlyAcknowledgesHasNoMessage() {
        assertEquals(
                Optional.empty(),
                MessageCodec.read(Envelope.newBuilder().setAck(7).build()));
    }
}
