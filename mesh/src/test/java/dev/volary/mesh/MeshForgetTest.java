// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Workers that are gone leave nothing behind in the mesh of one that stays. */
class MeshForgetTest {
    private static final WorkerId ONE = new WorkerId(1);
    private static final WorkerId TWO = new WorkerId(2);
    private static final int WARM_UP = 5;
    private static final int PEERS = 200;
    private static final Duration SHORT = Duration.ofMillis(200);
    /** More than the longest time between two attempts to connect: the time-out, and a back-off of 2 s. */
    private static final int LONGER_THAN_A_BACKOFF_MILLIS = 3_000;

    private static MeshConfig.Builder quick(MeshConfig.Builder config) {
        return config.bulkShare(0).timeouts(SHORT, SHORT);
    }

    private static Message number(long i) {
        return new BlockMessage.DirectoryAck(i);
    }

    private static Member silent(long id, ServerSocket address) {
        return new Member(
                new WorkerId(id),
                WorkerRole.DAEMON,
                "daemon-" + id,
                new Address("127.0.0.1", address.getLocalPort()),
                "127.0.0.1",
                "",
                1,
                0);
    }

    @Test
    void workersThatAreGoneLeaveNoConnectionThreadFileOrAttempt() throws Exception {
        try (TestJob job = new TestJob();
                // The kernel accepts connections here; no handshake is ever answered, as where a pod has vanished.
                ServerSocket vanished = new ServerSocket(0, 2 * PEERS, InetAddress.getLoopbackAddress())) {
            Mesh stays = job.daemon(1, new RecordingListener(), MeshForgetTest::quick);
            long id = 2;
            for (int i = 0; i < WARM_UP; i++) {
                comeAndGo(job, stays, id++, vanished);
            }
            await().until(() -> stays.controlTelemetry().peers() == 0);
            drain(vanished);
            long files = openFiles();
            long threads = threads();
            for (int i = 0; i < PEERS; i++) {
                comeAndGo(job, stays, id++, vanished);
            }
            await().until(() -> stays.controlTelemetry().peers() == 0);
            drain(vanished);
            await().untilAsserted(() -> {
                assertTrue(openFiles() <= files, () -> openFiles() + " open files, before " + files);
                assertEquals(threads, threads());
            });
            vanished.setSoTimeout(LONGER_THAN_A_BACKOFF_MILLIS);
            assertThrows(SocketTimeoutException.class, vanished::accept, "a forgotten worker is dialed");
        }
    }

    /** One worker ends, and another one vanishes; both are forgotten. */
    private static void comeAndGo(TestJob job, Mesh stays, long id, ServerSocket vanished) throws Exception {
        WorkerId ends = new WorkerId(2 * id);
        RecordingListener listener = new RecordingListener();
        try (Mesh peer = job.daemon(ends.value(), listener, MeshForgetTest::quick)) {
            stays.addPeer(peer.self());
            stays.send(ends, number(id));
            await().pollInterval(Duration.ofMillis(5)).until(() -> !listener.messages.isEmpty());
        }
        stays.forget(ends);
        Member vanishes = silent(2 * id + 1, vanished);
        stays.addPeer(vanishes);
        stays.send(vanishes.id(), number(id));
        stays.forget(vanishes.id());
        stays.send(vanishes.id(), number(id));
    }

    @Test
    void aWorkerThatIsNeededIsDialedUntilItAnswers() throws Exception {
        try (TestJob job = new TestJob();
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Mesh one = job.daemon(1, new RecordingListener(), MeshForgetTest::quick);
            one.addPeer(silent(2, silent));
            one.send(TWO, number(1));
            await().until(() -> one.controlTelemetry().dials() > 4);
            assertEquals(1, one.controlTelemetry().peers());
        }
    }

    @Test
    void aWorkerThatWasEvictedByMistakeLearnsItWhenItComesBack() throws Exception {
        try (TestJob job = new TestJob()) {
            RecordingListener there = new RecordingListener();
            RecordingListener here = new RecordingListener();
            UnaryOperator<MeshConfig.Builder> forgetsAtOnce =
                    config -> config.bulkShare(0).timeouts(Duration.ofSeconds(5), Duration.ZERO);
            Mesh owner = job.spawner(1, here, forgetsAtOnce);
            Mesh evicted = job.daemon(2, there);
            Member self = owner.self();
            try (Proxy line = new Proxy(self.address().port())) {
                evicted.addPeer(new Member(
                        ONE, self.role(), self.name(), new Address("127.0.0.1", line.port()), self.host(), "", 1, 0));
                for (long i = 1; i <= 3; i++) {
                    evicted.send(ONE, number(i));
                    owner.send(TWO, number(-i));
                }
                await().until(() -> here.messages.size() == 3 && there.messages.size() == 3);
                owner.forget(TWO);
                assertTrue(line.breakConnections());
                await().until(() -> there.connected.size() == 2);
                evicted.send(ONE, number(4));
                await().until(() -> here.messages.size() == 4);
                owner.send(TWO, new RegistrationMessage.Evicted());
                await().until(() -> there.messages.size() == 4);
                assertEquals(List.of(number(1), number(2), number(3), number(4)), here.messages);
                assertEquals(new RegistrationMessage.Evicted(), there.messages.getLast());
            }
        }
    }

    private static void drain(ServerSocket server) throws IOException {
        server.setSoTimeout(100);
        try {
            while (true) {
                server.accept().close();
            }
        } catch (SocketTimeoutException empty) {
            // All that was waiting is accepted.
        }
    }

    private static long openFiles() {
        return ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class)
                .getOpenFileDescriptorCount();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("mesh-") || name.startsWith("grpc-"))
                .count();
    }
}
