// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.fault.NetworkFaults;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Message;
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
        return new BlockMessage.DirectoryAck(i);
    }

    private static List<Message> numbers(long n) {
        return LongStream.range(0, n).mapToObj(MeshControlTest::number).toList();
    }

    @Test
    void messagesArriveInOrderWhicheverSideKnowsTheOther() throws Exception {
        for (long dialer = 1; dialer <= 2; dialer++) {
            try (TestJob job = new TestJob()) {
                RecordingListener listener = new RecordingListener();
                Mesh mesh = job.daemon(dialer, listener);
                RecordingListener otherListener = new RecordingListener();
                Mesh other = job.daemon(3 - dialer, otherListener);
                for (Message message : numbers(200)) {
                    mesh.send(other.self().id(), message); // nothing is known yet: it waits
                }
                mesh.addPeer(other.self());
                await().until(() -> otherListener.messages.size() == 200);
                assertEquals(numbers(200), otherListener.messages);
                other.send(mesh.self().id(), number(7));
                await().until(() -> listener.messages.size() == 1);
                assertEquals(List.of(number(7)), listener.messages);
            }
        }
    }

    @Test
    void failureDetectionMessagesArriveAndAreNotAcknowledged() throws Exception {
        try (TestJob job = new TestJob()) {
            RecordingListener listener = new RecordingListener();
            RecordingListener otherListener = new RecordingListener();
            Mesh one = job.daemon(1, listener);
            Mesh two = job.daemon(2, otherListener);
            one.addPeer(two.self());
            one.send(TWO, number(0));
            await().until(() -> listener.acknowledged.size() == 1);
            one.send(TWO, new MembershipMessage.Refutation());
            await().until(() -> otherListener.messages.size() == 2);
            assertEquals(List.of(number(0), new MembershipMessage.Refutation()), otherListener.messages);
            one.send(TWO, number(1));
            await().until(() -> otherListener.messages.size() == 3);
            assertTrue(listener.acknowledged.size() <= 2, () -> "acknowledged " + listener.acknowledged);
        }
    }

    @Test
    void aWorkerThatHasEndedRefusesConnections() throws Exception {
        try (TestJob job = new TestJob()) {
            RecordingListener listener = new RecordingListener();
            Mesh one = job.daemon(1, listener);
            Mesh two = job.daemon(2, new RecordingListener());
            one.addPeer(two.self());
            one.send(TWO, number(0));
            await().until(() -> listener.connected.equals(List.of(TWO)));
            two.close();
            await().until(() -> listener.ended.contains(TWO));
        }
    }

    @Test
    void aWorkerReplacedAtItsAddressHasEndedAndIsNotDialedAgain() throws Exception {
        try (TestJob job = new TestJob()) {
            RecordingListener listener = new RecordingListener();
            Mesh one = job.daemon(1, listener);
            Mesh two = job.daemon(2, new RecordingListener());
            WorkerId before = new WorkerId(3);
            Member ended = new Member(
                    before, two.self().role(), two.self().name(), two.self().address(), "127.0.0.1", "", 1, 0);
            one.addPeer(ended);
            one.send(before, number(0));
            await().until(() -> listener.ended.contains(before));
            one.send(before, number(1));
            one.addPeer(two.self());
            one.send(TWO, number(2));
            await().until(() -> listener.connected.equals(List.of(TWO)));
            Thread.sleep(200); // several times what the first repetitions would take
            assertEquals(1, listener.refused.size(), listener.refused::toString);
        }
    }

    @Test
    void ifBothWorkersDialOneConnectionStaysAndNoMessageIsLost() throws Exception {
        try (TestJob job = new TestJob()) {
            RecordingListener low = new RecordingListener();
            RecordingListener high = new RecordingListener();
            Mesh one = job.daemon(1, low);
            Mesh two = job.daemon(2, high);
            one.addPeer(two.self());
            two.addPeer(one.self());
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
            RecordingListener low = new RecordingListener();
            RecordingListener high = new RecordingListener();
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
                one.addPeer(throughProxy);
                List<Message> all = numbers(3000);
                int cuts = 0;
                for (int i = 0; i < all.size(); i++) {
                    one.send(TWO, all.get(i));
                    two.send(ONE, all.get(i));
                    if (i % 1000 == 500) {
                        int sent = i;
                        await().until(() -> high.messages.size() > sent - 400);
                        // After the first cut the higher id may have dialed back, past this line.
                        cuts += line.breakConnections() ? 1 : 0;
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
            RecordingListener listener = new RecordingListener();
            job.daemon(1, listener).send(ONE, number(1));
            await().until(() -> listener.messages.size() == 1);
        }
    }

    @Test
    void workersOfAnotherAuthorityAreRefusedByName() throws Exception {
        try (TestJob job = new TestJob();
                TestJob other = new TestJob("pipe")) {
            RecordingListener here = new RecordingListener();
            RecordingListener there = new RecordingListener();
            Mesh one = job.daemon(1, here);
            Mesh two = other.daemon(2, there);
            one.addPeer(two.self());
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
            RecordingListener here = new RecordingListener();
            RecordingListener there = new RecordingListener();
            Mesh one = job.daemon(1, here);
            Mesh two = job.daemon(2, there, config -> MeshConfig.builder(TWO, WorkerRole.DAEMON, "127.0.0.1", 0xbad));
            one.addPeer(two.self());
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
            RecordingListener high = new RecordingListener();
            NetworkFaults faults = NetworkFaults.parse("partition=daemon-1|daemon-2@0s+700ms");
            Mesh one = job.daemon(1, new RecordingListener(), config -> config.faults(faults, 1));
            long start = System.nanoTime();
            Mesh two = job.daemon(2, high, config -> config.faults(faults, 1));
            one.addPeer(two.self());
            one.send(TWO, number(1));
            await().until(() -> high.messages.size() == 1);
            assertTrue(System.nanoTime() - start >= 700_000_000L);
        }
    }

    @Test
    void anOpenConnectionToAForgottenWorkerStays() throws Exception {
        try (TestJob job = new TestJob()) {
            RecordingListener high = new RecordingListener();
            Mesh one = job.daemon(1, new RecordingListener());
            Mesh two = job.daemon(2, high);
            one.addPeer(two.self());
            one.send(TWO, number(1));
            await().until(() -> high.messages.size() == 1);
            one.forget(TWO);
            one.send(TWO, number(2));
            await().until(() -> high.messages.size() == 2);
            two.close();
            await().until(() -> one.controlTelemetry().peers() == 0);
        }
    }

    @Test
    void theErrorForABusyPortNamesTheRemedy() throws Exception {
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
                TestJob job = new TestJob()) {
            int port = busy.getLocalPort();
            String message = String.valueOf(assertThrows(
                            IOException.class, () -> job.daemon(1, new RecordingListener(), c -> c.ports(port, 0)))
                    .getMessage());
            assertTrue(message.startsWith("cannot listen on 127.0.0.1:" + port + ": "), message);
            assertTrue(message.endsWith("; free the port, or choose another (0 takes any free one)"), message);
        }
    }

    @Test
    void closingLeavesNoThread() throws Exception {
        try (TestJob job = new TestJob()) {
            RecordingListener high = new RecordingListener();
            Mesh one = job.daemon(31, new RecordingListener());
            Mesh two = job.daemon(32, high);
            one.addPeer(two.self());
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
