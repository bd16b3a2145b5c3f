// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.tls.SpiffeId;
import dev.volary.mesh.v1.Hello;
import dev.volary.mesh.v1.Member;
import dev.volary.mesh.v1.Role;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HandshakeTest {
    private static final SpiffeId ME = new SpiffeId("ns", "heat", "daemon", "daemon-1");
    private static final SpiffeId PEER = new SpiffeId("ns", "heat", "daemon", "daemon-2");
    private static final Hello MINE = hello("daemon-1", 1);
    private static final Hello THEIRS = hello("daemon-2", 2);

    private static Hello hello(String name, long id) {
        return Hello.newBuilder()
                .setProtocolVersion(1)
                .setNamespace("ns")
                .setJob("heat")
                .setProblemHash(0xab)
                .setMember(Member.newBuilder().setName(name).setId(id).setRole(Role.ROLE_DAEMON))
                .build();
    }

    private static String refusal(Hello theirs) {
        return Handshake.refusal(MINE, ME, theirs, PEER).orElse("accepted");
    }

    @Test
    void aWorkerOfTheSameJobIsAccepted() {
        assertEquals("accepted", refusal(THEIRS));
        assertEquals("accepted", refusal(THEIRS.toBuilder().setExpected(1).build()));
    }

    @Test
    void theRefusalNamesTheDifferenceAndBothValues() {
        assertEquals(
                "protocol version of " + PEER + " is 2, of " + ME + " is 1",
                refusal(THEIRS.toBuilder().setProtocolVersion(2).build()));
        assertEquals(
                "job of " + PEER + " is ns/pipe, of " + ME + " is ns/heat",
                refusal(THEIRS.toBuilder().setJob("pipe").build()));
        assertEquals(
                "problem hash of " + PEER + " is cd, of " + ME + " is ab",
                refusal(THEIRS.toBuilder().setProblemHash(0xcd).build()));
        assertEquals("name is daemon-3 but the identity proven is " + PEER, refusal(hello("daemon-3", 3)));
        assertEquals(
                PEER + " looks for node 7 but this is " + ME + ", node 1: it has restarted or moved",
                refusal(THEIRS.toBuilder().setExpected(7).build()));
    }

    @Test
    void aRoleIsThatOfTheCertificateWhateverTheWorkerSays() {
        SpiffeId spawner = new SpiffeId("ns", "heat", "spawner", "daemon-2");
        SpiffeId operator = new SpiffeId("ns", "heat", "operator", "daemon-2");
        assertEquals("role is spawner but the identity proven is " + PEER, refusal(saying(Role.ROLE_SPAWNER)));
        assertEquals("role is unspecified but the identity proven is " + PEER, refusal(saying(Role.ROLE_UNSPECIFIED)));
        assertEquals(
                Optional.of("role is daemon but the identity proven is " + spawner),
                Handshake.refusal(MINE, ME, THEIRS, spawner));
        assertEquals(Optional.empty(), Handshake.refusal(MINE, ME, saying(Role.ROLE_SPAWNER), spawner));
        for (Role role : List.of(Role.ROLE_DAEMON, Role.ROLE_SPAWNER, Role.ROLE_UNSPECIFIED)) {
            assertTrue(
                    Handshake.refusal(MINE, ME, saying(role), operator).isPresent(),
                    () -> "the operator is no worker, but is accepted as " + role);
        }
    }

    private static Hello saying(Role role) {
        return THEIRS.toBuilder()
                .setMember(THEIRS.getMember().toBuilder().setRole(role))
                .build();
    }

    @Test
    void anIdentityOfAnotherJobIsAlwaysRefused() {
        SpiffeId stranger = new SpiffeId("ns", "pipe", "daemon", "daemon-2");
        assertEquals(
                Optional.of("identity " + stranger + " belongs to another job than " + ME),
                Handshake.refusal(MINE, ME, THEIRS, stranger));
    }
}
