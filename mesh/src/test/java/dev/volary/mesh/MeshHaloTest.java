// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.fault.NetworkFaults;
import dev.volary.mesh.frame.FrameHeader;
import dev.volary.mesh.frame.FrameKind;
import dev.volary.mesh.frame.FrameWriter;
import dev.volary.mesh.link.LinkTelemetry;
import dev.volary.mesh.link.LockStepLink;
import dev.volary.mesh.link.MeshListener;
import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.mesh.link.OutgoingLink;
import dev.volary.mesh.link.RecordedHalo;
import dev.volary.mesh.transport.EventLoop;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class MeshHaloTest {
    private static final WorkerId ONE = new WorkerId(1);
    private static final WorkerId TWO = new WorkerId(2);

    private static void publish(OutgoingLink link, long iteration) {
        Arrays.fill(link.begin(), (double) iteration);
        link.publish(TestJob.FIRST, 0, iteration, 0, false);
    }

    /** A block may complete the next round before its halo of this one is sent, or read. */
    @Test
    void inRoundsTheTwoNewestArriveInOrder() throws Exception {
        try (TestJob job = new TestJob()) {
            Mesh one = job.daemon(1, new RecordingListener());
            Mesh two = job.daemon(2, new RecordingListener());
            one.addPeer(two.self());
            OutgoingLink out = one.outgoingInRounds(0, 1, 4);
            NewestWinsLink in = two.incomingInRounds(0, 1, 4);
            for (int round = 1; round <= 3; round++) {
                Arrays.fill(out.begin(), round);
                out.publish(TestJob.FIRST, 0, round, 0, true);
            }
            out.route(two.self().id());
            for (int round = 2; round <= 3; round++) {
                await().until(in::take);
                assertEquals(round, in.iteration());
                assertArrayEquals(new double[] {round, round, round, round}, in.values());
            }
            assertEquals(1, out.telemetry().conflated());
        }
    }

    @Test
    void theNewestValuesArriveWithTheirKey() throws Exception {
        try (TestJob job = new TestJob()) {
            RecordingListener listener = new RecordingListener();
            Mesh one = job.daemon(1, new RecordingListener());
            Mesh two = job.daemon(2, listener);
            one.addPeer(two.self());
            // The other direction shares the connection.
            for (Mesh[] pair : new Mesh[][] {{one, two}, {two, one}}) {
                OutgoingLink out = pair[0].outgoing(0, 1, 1000);
                NewestWinsLink in = pair[1].incoming(0, 1, 1000);
                assertFalse(in.hasValues());
                out.route(pair[1].self().id());
                double[] expected = new double[1000];
                for (int k = 1; k <= 100; k++) {
                    double[] buffer = out.begin();
                    for (int i = 0; i < 1000; i++) {
                        buffer[i] = expected[i] = k + i / 1000.0;
                    }
                    out.publish(TestJob.FIRST, 3, k, 5, false);
                }
                await().until(() -> in.take() && in.iteration() == 100);
                assertArrayEquals(expected, in.values());
                assertEquals(TestJob.FIRST, in.incarnation());
                assertEquals(3, in.step());
                assertEquals(5, in.coarseVersion());
                assertTrue(in.telemetry().age().isPresent());
                assertFalse(in.take());
                await().until(() -> out.telemetry().roundTrip().isPresent());
            }
            assertEquals(1, listener.first.size());
        }
    }

    @Test
    void theNewestValuesPublishedBeforeTheReaderHasADaemonAreKept() throws Exception {
        try (TestJob job = new TestJob()) {
            Mesh one = job.daemon(1, new RecordingListener());
            Mesh two = job.daemon(2, new RecordingListener());
            OutgoingLink out = one.outgoing(0, 1, 10);
            for (int k = 1; k <= 50; k++) {
                publish(out, k);
            }
            NewestWinsLink in = two.incoming(0, 1, 10);
            out.route(TWO);
            one.addPeer(two.self());
            await().until(in::take);
            assertEquals(50, in.iteration());
            assertEquals(1, in.telemetry().frames());
            assertEquals(49, out.telemetry().conflated());
        }
    }

    @Test
    void blocksOfOneProcessExchangeHalosWithoutTheNetwork() throws Exception {
        try (TestJob job = new TestJob()) {
            Mesh one = job.daemon(1, new RecordingListener());
            OutgoingLink out = one.outgoing(0, 1, 4);
            out.route(ONE);
            publish(out, 1);
            NewestWinsLink in = one.incoming(0, 1, 4);
            await().until(in::take);
            publish(out, 2); // by now the ends are bound: it is there at once
            assertTrue(in.take());
            assertEquals(2, in.iteration());
            assertArrayEquals(new double[] {2, 2, 2, 2}, in.values());
            assertEquals(0, out.telemetry().bytes());
        }
    }

    @Test
    void aReaderThatMovesGetsTheNewestValuesAtItsNewDaemon() throws Exception {
        try (TestJob job = new TestJob()) {
            Mesh one = job.daemon(1, new RecordingListener());
            Mesh two = job.daemon(2, new RecordingListener());
            Mesh three = job.daemon(3, new RecordingListener());
            one.addPeer(two.self());
            one.addPeer(three.self());
            OutgoingLink out = one.outgoing(0, 1, 4);
            out.route(TWO);
            publish(out, 1);
            for (Mesh place : List.of(two, three, one)) {
                NewestWinsLink in = place.incoming(0, 1, 4);
                out.route(place.self().id());
                await().until(in::take);
                assertEquals(1, in.iteration());
            }
        }
    }

    @Test
    void dataOfAFencedIncarnationIsDroppedAndReported() throws Exception {
        try (TestJob job = new TestJob()) {
            RecordingListener listener = new RecordingListener();
            Mesh one = job.daemon(1, new RecordingListener());
            Mesh two = job.daemon(2, listener);
            one.addPeer(two.self());
            NewestWinsLink in = two.incoming(0, 1, 4);
            in.acceptFrom(TestJob.SECOND);
            OutgoingLink out = one.outgoing(0, 1, 4);
            out.route(TWO);
            publish(out, 1000);
            await().until(() -> listener.stale.contains(TestJob.FIRST));
            assertFalse(in.take());
            out.begin();
            out.publish(
                    TestJob.SECOND, 0, 1, 0, false); // a smaller iteration of a newer incarnation is accepted at once
            await().until(in::take);
            assertEquals(1, in.iteration());
            assertEquals(List.of(new BlockVersion(TestJob.SECOND, 0, 1)), listener.first);
        }
    }

    @Test
    void recordedValuesHaveASlotOfTheirOwn() throws Exception {
        try (TestJob job = new TestJob()) {
            RecordingListener listener = new RecordingListener();
            Mesh one = job.daemon(1, new RecordingListener());
            Mesh two = job.daemon(2, listener);
            one.addPeer(two.self());
            two.incoming(0, 1, 3);
            OutgoingLink out = one.outgoing(0, 1, 3);
            out.route(TWO);
            out.sendRecorded(7, 2, TestJob.FIRST, 0xfeedL, new double[] {1, 2, 3});
            await().until(() -> listener.recorded.size() == 1);
            RecordedHalo halo = listener.recorded.getFirst();
            assertEquals(ONE, halo.sender());
            assertEquals(7, halo.sid());
            assertEquals(2, halo.step());
            assertEquals(new RecordedBlock(0, TestJob.FIRST, 0xfeedL), halo.source());
            assertEquals(1, halo.to());
            assertArrayEquals(new double[] {1, 2, 3}, halo.values());
        }
    }

    @Test
    void inLockStepEveryIterationArrives() throws Exception {
        try (TestJob job = new TestJob()) {
            Mesh one = job.daemon(1, new RecordingListener());
            Mesh two = job.daemon(2, new RecordingListener());
            one.addPeer(two.self());
            OutgoingLink there = one.outgoingLockStep(0, 1, 2);
            LockStepLink atTwo = two.incomingLockStep(0, 1, 2);
            OutgoingLink back = two.outgoingLockStep(1, 0, 0); // values flow one way only: an empty halo comes back
            LockStepLink atOne = one.incomingLockStep(1, 0, 0);
            there.route(TWO);
            back.route(ONE);
            Duration patience = Duration.ofSeconds(10);
            Thread other = Thread.ofPlatform().start(() -> {
                try {
                    for (int k = 0; k < 300; k++) {
                        publish(back, k);
                        assertTrue(atTwo.await(0, k, patience));
                        assertEquals(k, atTwo.values()[1]);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            for (int k = 0; k < 300; k++) {
                publish(there, k);
                assertTrue(atOne.await(0, k, patience), "iteration " + k);
            }
            other.join();
            assertEquals(299, atTwo.iteration());
            assertTrue(there.resend(0, 298) && there.resend(0, 299));
            assertFalse(there.resend(0, 297));
        }
    }

    @Test
    void memoryIsBoundedWhileTheReaderIsStalled() throws Exception {
        CountDownLatch stalled = new CountDownLatch(1);
        MeshListener stalling = new RecordingListener() {
            @Override
            public void firstHalo(int from, int to, BlockVersion key) {
                try {
                    stalled.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        int length = 1 << 17; // 1 MB
        try (TestJob job = new TestJob()) {
            Mesh one = job.daemon(1, new RecordingListener());
            Mesh two = job.daemon(2, stalling);
            one.addPeer(two.self());
            OutgoingLink out = one.outgoing(0, 1, length);
            NewestWinsLink in = two.incoming(0, 1, length);
            out.route(TWO);
            publish(out, 1);
            await().until(() -> in.telemetry().frames() == 1);
            long before = used();
            for (int k = 2; k <= 10_000; k++) {
                out.begin()[0] = k;
                out.publish(TestJob.FIRST, 0, k, 0, false);
            }
            long grown = used() - before;
            // At most two frames on the way, of which the transport may hold a copy at each end.
            assertTrue(grown < 32L << 20, "heap and network buffers grew by " + grown);
            assertTrue(out.telemetry().frames() <= 3, out.telemetry().toString());
            stalled.countDown();
            await().until(() -> in.take() && in.iteration() == 10_000);
        } finally {
            stalled.countDown();
        }
    }

    /** Heap after a collection, and direct memory. */
    private static long used() {
        System.gc();
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + direct;
    }

    @Test
    void corruptFramesAndFramesOfAnotherProblemAreDroppedAndReported() throws Exception {
        try (TestJob job = new TestJob();
                EventLoop loop = new EventLoop("mesh-test")) {
            RecordingListener listener = new RecordingListener();
            int port = TestJob.freePort();
            Mesh two = job.daemon(2, listener, config -> config.ports(0, port));
            NewestWinsLink in = two.incoming(0, 1, 2);
            FrameHeader header =
                    new FrameHeader(FrameKind.HALO, 0, 1, TestJob.FIRST, 0, 1, 0, 2, 0, FrameHeader.fold(TestJob.HASH));
            FrameHeader stranger = new FrameHeader(FrameKind.HALO, 0, 1, TestJob.FIRST, 0, 2, 0, 2, 0, 0x5a5a5a5a);
            FrameWriter writer = new FrameWriter();
            writer.layOut(header, 0, new double[] {1, 2});
            byte[] good = Arrays.copyOf(writer.bytes(), writer.length());
            byte[] bad = good.clone();
            bad[70] ^= 1;
            writer.layOut(stranger, 0, new double[] {3, 4});
            byte[] other = Arrays.copyOf(writer.bytes(), writer.length());
            job.raw(1, two, port, loop, List.of(bad, other, good));
            await().until(in::take);
            assertArrayEquals(new double[] {1, 2}, in.values());
            assertEquals(2, in.telemetry().corrupt());
            assertTrue(listener.corrupt.get(0).contains("CRC-32C of the values from block 0 for block 1 is "));
            assertEquals(
                    "frame dropped: problem hash is 5a5a5a5a, expected "
                            + Integer.toHexString(FrameHeader.fold(TestJob.HASH)),
                    listener.corrupt.get(1));
        }
    }

    @Test
    void faultsLoseAndDelayFramesAndTheNewestValuesStillWin() throws Exception {
        NetworkFaults faults = NetworkFaults.parse("delay=2ms±1ms,loss=0.3,duplicate=0.2,reorder=0.2");
        try (TestJob job = new TestJob()) {
            Mesh one = job.daemon(1, new RecordingListener());
            Mesh two = job.daemon(2, new RecordingListener(), config -> config.faults(faults, 42));
            one.addPeer(two.self());
            OutgoingLink out = one.outgoing(0, 1, 4);
            NewestWinsLink in = two.incoming(0, 1, 4);
            out.route(TWO);
            long newest = 0;
            for (long k = 1; k <= 200; k++) {
                publish(out, k);
                long sent = k;
                await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> out.telemetry().iteration() == sent);
                if (in.take()) {
                    assertTrue(in.iteration() > newest);
                    newest = in.iteration();
                }
            }
            await().until(() -> {
                out.resend();
                in.take();
                return in.iteration() == 200;
            });
            LinkTelemetry seen = in.telemetry();
            assertTrue(seen.frames() < out.telemetry().frames() && seen.dropped() > 0, seen.toString());
        }
    }

    @Test
    void publishingAndTakingAllocateNothing() throws Exception {
        try (TestJob job = new TestJob()) {
            Mesh one = job.daemon(1, new RecordingListener());
            Mesh two = job.daemon(2, new RecordingListener());
            one.addPeer(two.self());
            OutgoingLink far = one.outgoing(0, 1, 64);
            NewestWinsLink there = two.incoming(0, 1, 64);
            OutgoingLink near = one.outgoing(0, 2, 64);
            NewestWinsLink here = one.incoming(0, 2, 64);
            far.route(TWO);
            near.route(ONE);
            publish(far, 1);
            publish(near, 1);
            await().until(() -> there.take() && here.take());
            var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            run(far, there, near, here, 2, 20_000); // compiles
            long before = threads.getCurrentThreadAllocatedBytes();
            run(far, there, near, here, 20_002, 10_000);
            double each = (threads.getCurrentThreadAllocatedBytes() - before) / 10_000.0;
            // The event loop's task queue grows by chunks of 1024 references, at most one of them per publication.
            assertTrue(each <= 9, each + " bytes per iteration");
        }
    }

    private static void run(
            OutgoingLink far, NewestWinsLink there, OutgoingLink near, NewestWinsLink here, long start, int n) {
        for (long k = start; k < start + n; k++) {
            publish(far, k);
            publish(near, k);
            there.take();
            here.take();
        }
    }

    @Test
    void aLinkEndCannotBeCreatedAgainWithAnotherLength() throws Exception {
        try (TestJob job = new TestJob()) {
            Mesh one = job.daemon(1, new RecordingListener());
            one.outgoing(0, 1, 4);
            assertThrows(IllegalStateException.class, () -> one.outgoing(0, 1, 5));
            assertThrows(IllegalStateException.class, () -> one.outgoingLockStep(0, 1, 4));
            one.removeLinks(0);
            assertEquals(5, one.outgoing(0, 1, 5).length());
        }
    }
}
