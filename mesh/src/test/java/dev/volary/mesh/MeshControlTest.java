// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.fault.NetworkFaults;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MeshControlTest {
    private static final WorkerId ONE = new WorkerId(1);
    private static final WorkerId TWO = new WorkerId(2);

    private static Message number(long i) {
        return new SnapshotMessage.SnapshotStore(i);
    }

    private static List<Message> numbers(long n) {
        return LongStream.range(0, n).mapToObj(MeshControlTest::number).toList();
    }

    @Test
    void messagesArriveInOrderWhicheverSideKnowsTheOther() throws Exception {
        for (long knower = 1; knower <= 2; knower++) {
            try (TestJob job = new TestJob()) {
                Heard heard = new Heard();
                Mesh mesh = job.daemon(knower, heard);
                Heard otherHeard = new Heard();
                Mesh other = job.daemon(3 - knower, otherHeard);
                for (Message message : numbers(200)) {
                    mesh.send(other.self().id(), message); // nothing is known yet: it waits
                }
                mesh.know(other.self());
                await().until(() -> otherHeard.messages.size() == 200);
                assertEquals(numbers(200), otherHeard.messages);
                other.send(mesh.self().id(), number(7));
                await().until(() -> heard.messages.size() == 1);
                assertEquals(List.of(number(7)), heard.messages);
            }
        }
    }

    @Test
    void failureDetectionMessagesArriveAndAreNotAcknowledged() throws Exception {
        try (TestJob job = new TestJob()) {
            Heard heard = new Heard();
            Heard otherHeard = new Heard();
            Mesh one = job.daemon(1, heard);
            Mesh two = job.daemon(2, otherHeard);
            one.know(two.self());
            one.send(TWO, number(0));
            await().until(() -> heard.acknowledged.size() == 1);
            one.send(TWO, new MembershipMessage.Refutation());
            await().until(() -> otherHeard.messages.size() == 2);
            assertEquals(List.of(number(0), new MembershipMessage.Refutation()), otherHeard.messages);
            one.send(TWO, number(1));
            await().until(() -> otherHeard.messages.size() == 3);
            assertTrue(heard.acknowledged.size() <= 2, () -> "acknowledged " + heard.acknowledged);
        }
    }

    @Test
    void aWorkerThatHasEndedRefusesConnections() throws Exception {
        try (TestJob job = new TestJob()) {
            Heard heard = new Heard();
            Mesh one = job.daemon(1, heard);
            Mesh two = job.daemon(2, new Heard());
            one.know(two.self());
            one.send(TWO, number(0));
            await().until(() -> heard.connected.equals(List.of(TWO)));
            two.close();
            await().until(() -> heard.gone.contains(TWO));
        }
    }

    @Test
    void aWorkerReplacedAtItsAddressHasEndedAndIsNotDialedAgain() throws Exception {
        try (TestJob job = new TestJob()) {
            Heard heard = new Heard();
            Mesh one = job.daemon(1, heard);
            Mesh two = job.daemon(2, new Heard());
            WorkerId before = new WorkerId(3);
            Member ended = new Member(
                    before, two.self().role(), two.self().name(), two.self().address(), "127.0.0.1", "", 1, 0);
            one.know(ended);
            one.send(before, number(0));
            await().until(() -> heard.gone.contains(before));
            one.send(before, number(1));
            one.know(two.self());
            one.send(TWO, number(2));
            await().until(() -> heard.connected.equals(List.of(TWO)));
            Thread.sleep(200); // several times what the first repetitions would take
            assertEquals(1, heard.refused.size(), heard.refused::toString);
        }
    }

    @Test
    void ifBothWorkersDialOneConnectionStaysAndNoMessageIsLost() throws Exception {
        try (TestJob job = new TestJob()) {
            Heard low = new Heard();
            Heard high = new Heard();
            Mesh one = job.daemon(1, low);
            Mesh two = job.daemon(2, high);
            one.know(two.self());
            two.know(one.self());
            for (Message message : numbers(500)) {
                one.send(TWO, message);
                two.send(ONE, message);
            }
            await().until(() -> low.messages.size() >= 500 && high.messages.size() >= 500);
            assertEquals(numbers(500), low.messages);
            assertEquals(numbers(500), high.messages);
            assertEquals(List.of(TWO), low.connected);
            assertEquals(List.of(ONE), high.connected);
        }
    }

    @Test
    void messagesSurviveBrokenConnectionsInOrder() throws Exception {
        try (TestJob job = new TestJob()) {
            Heard low = new Heard();
            Heard high = new Heard();
            Mesh one = job.daemon(1, low);
            Mesh two = job.daemon(2, high);
            try (Proxy line = new Proxy(two.self().address().port())) {
                Member throughProxy = new Member(
                        TWO,
                        two.self().role(),
                        two.self().name(),
                        new Address("127.0.0.1", line.port()),
                        "127.0.0.1",
                        "",
                        1,
                        0);
                one.know(throughProxy);
                List<Message> all = numbers(3000);
                int cuts = 0;
                for (int i = 0; i < all.size(); i++) {
                    one.send(TWO, all.get(i));
                    two.send(ONE, all.get(i));
                    if (i % 1000 == 500) {
                        int sent = i;
                        await().until(() -> high.messages.size() > sent - 400);
                        // After the first cut the higher id may have dialed back, past this line.
                        cuts += line.cut() ? 1 : 0;
                    }
                }
                await().until(() -> low.messages.size() >= 3000 && high.messages.size() >= 3000);
                assertEquals(all, high.messages);
                assertEquals(all, low.messages);
                assertTrue(cuts >= 1);
                assertTrue(low.disconnected.contains(TWO) || high.disconnected.contains(ONE));
            }
        }
    }

    @Test
    void aMessageToOneselfNeedsNoConnection() throws Exception {
        try (TestJob job = new TestJob()) {
            Heard heard = new Heard();
            job.daemon(1, heard).send(ONE, number(1));
            await().until(() -> heard.messages.size() == 1);
        }
    }

    @Test
    void workersOfAnotherAuthorityAreRefusedByName() throws Exception {
        try (TestJob job = new TestJob();
                TestJob other = new TestJob("pipe")) {
            Heard here = new Heard();
            Heard there = new Heard();
            Mesh one = job.daemon(1, here);
            Mesh two = other.daemon(2, there);
            one.know(two.self());
            one.send(TWO, number(1));
            await().until(() -> !here.refused.isEmpty());
            assertTrue(
                    here.refused
                            .getFirst()
                            .startsWith("certificate is not signed by the authority of "
                                    + "spiffe://volary.local/ns/default/job/heat/daemon/daemon-1"),
                    here.refused.getFirst());
            assertTrue(there.messages.isEmpty());
        }
    }

    @Test
    void workersOfAnotherProblemAreRefusedByNameOnBothSides() throws Exception {
        try (TestJob job = new TestJob()) {
            Heard here = new Heard();
            Heard there = new Heard();
            Mesh one = job.daemon(1, here);
            Mesh two = job.daemon(2, there, config -> MeshConfig.builder(TWO, WorkerRole.DAEMON, "127.0.0.1", 0xbad));
            one.know(two.self());
            one.send(TWO, number(1));
            await().until(() -> !here.refused.isEmpty() && !there.refused.isEmpty());
            String expected = "problem hash of spiffe://volary.local/ns/default/job/heat/daemon/daemon-1 is "
                    + Long.toHexString(TestJob.HASH);
            assertTrue(here.refused.getFirst().contains(expected), here.refused.getFirst());
            assertTrue(there.refused.getFirst().contains(expected), there.refused.getFirst());
            assertTrue(there.messages.isEmpty());
        }
    }

    @Test
    void aPartitionDelaysMessagesUntilItHeals() throws Exception {
        try (TestJob job = new TestJob()) {
            Heard high = new Heard();
            NetworkFaults faults = NetworkFaults.parse("partition=daemon-1|daemon-2@0s+700ms");
            Mesh one = job.daemon(1, new Heard(), config -> config.faults(faults, 1));
            long start = System.nanoTime();
            Mesh two = job.daemon(2, high, config -> config.faults(faults, 1));
            one.know(two.self());
            one.send(TWO, number(1));
            await().until(() -> high.messages.size() == 1);
            assertTrue(System.nanoTime() - start >= 700_000_000L);
        }
    }

    @Test
    void aForgottenWorkerReceivesNoMoreMessages() throws Exception {
        try (TestJob job = new TestJob()) {
            Heard high = new Heard();
            Mesh one = job.daemon(1, new Heard());
            Mesh two = job.daemon(2, high);
            one.know(two.self());
            one.send(TWO, number(1));
            await().until(() -> high.messages.size() == 1);
            one.forget(TWO);
            await().until(() -> high.disconnected.contains(ONE));
        }
    }

    @Test
    void theErrorForABusyPortNamesTheRemedy() throws Exception {
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
                TestJob job = new TestJob()) {
            int port = busy.getLocalPort();
            String message = String.valueOf(assertThrows(
                            IOException.class, () -> job.daemon(1, new Heard(), c -> c.ports(port, 0)))
                    .getMessage());
            assertTrue(message.startsWith("cannot listen on 127.0.0.1:" + port + ": "), message);
            assertTrue(message.endsWith("; free the port, or choose another (0 takes any free one)"), message);
        }
    }

    @Test
    void closingLeavesNoThread() throws Exception {
        try (TestJob job = new TestJob()) {
            Heard high = new Heard();
            Mesh one = job.daemon(31, new Heard());
            Mesh two = job.daemon(32, high);
            one.know(two.self());
            one.send(new WorkerId(32), number(1));
            await().until(() -> high.messages.size() == 1);
            assertTrue(threads().stream().anyMatch(name -> name.equals("mesh-control-daemon-31")));
        }
        List<String> left = new ArrayList<>(threads());
        left.removeIf(name -> !name.startsWith("mesh-") && !name.startsWith("grpc-"));
        assertEquals(List.of(), left);
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }
}
