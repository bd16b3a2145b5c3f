// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReliableLinkTest {
    private static final Duration TIMEOUT = Duration.ofNanos(10);

    private static ReliableLink<Integer> end() {
        return new ReliableLink<>("daemon-1", 8, TIMEOUT);
    }

    @Test
    void everythingArrivesOnceAndInOrderThroughALossyReorderingNetwork() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            ReliableLink<Integer> a = end();
            ReliableLink<Integer> b = end();
            List<ReliableLink.Frame<Integer>> toA = new ArrayList<>();
            List<ReliableLink.Frame<Integer>> toB = new ArrayList<>();
            List<Integer> delivered = new ArrayList<>();
            int sent = 0;
            long now = 0;
            while (delivered.size() < 60 && now < 100_000) {
                now++;
                if (sent < 60 && a.outstanding() < 8) {
                    toB.add(a.send(sent++, now));
                }
                toB.addAll(a.tick(now));
                toA.addAll(b.tick(now));
                wreck(toA, random);
                wreck(toB, random);
                if (!toB.isEmpty()) {
                    ReliableLink.Arrival<Integer> arrival = b.onFrame(toB.removeFirst(), now);
                    delivered.addAll(arrival.delivered());
                    toA.addAll(arrival.reply());
                }
                if (!toA.isEmpty()) {
                    a.onFrame(toA.removeFirst(), now);
                }
                assertTrue(b.early() <= 8, "seed " + seed);
            }
            assertEquals(IntStream.range(0, 60).boxed().toList(), delivered, "seed " + seed);
        }
    }

    /** Loses, repeats and reorders. */
    private static void wreck(List<ReliableLink.Frame<Integer>> frames, Random random) {
        frames.removeIf(frame -> random.nextInt(10) == 0);
        if (!frames.isEmpty() && random.nextInt(5) == 0 && frames.size() < 100) {
            frames.add(frames.getFirst());
        }
        Collections.shuffle(frames, random);
    }

    @Test
    void aFullOutboxNamesThePeer() {
        ReliableLink<Integer> link = end();
        IntStream.range(0, 8).forEach(i -> link.send(i, 0));
        OutboxFullException full = assertThrows(OutboxFullException.class, () -> link.send(8, 0));
        assertTrue(full.toString().contains("daemon-1"), full::toString);
    }

    @Test
    void aReconnectionRepeatsAllThatIsNotAcknowledged() {
        ReliableLink<Integer> a = end();
        ReliableLink<Integer> b = end();
        ReliableLink.Frame<Integer> first = a.send(1, 0);
        a.send(2, 0);
        a.onFrame(b.onFrame(first, 1).reply().getFirst(), 2);
        assertEquals(
                List.of(2L),
                a.onReconnect(3).stream().map(ReliableLink.Frame::seq).toList());
    }

    @Test
    void retransmissionsSlowDownWhileNothingArrives() {
        ReliableLink<Integer> link = end();
        link.send(1, 0);
        assertEquals(10, link.wakeUp());
        link.tick(10);
        assertEquals(30, link.wakeUp());
        link.tick(30);
        assertEquals(70, link.wakeUp());
    }

    @Test
    void anIdleLinkNeedsNoTimer() {
        ReliableLink<Integer> a = end();
        ReliableLink<Integer> b = end();
        a.onFrame(b.onFrame(a.send(1, 0), 1).reply().getFirst(), 2);
        assertEquals(Long.MAX_VALUE, a.wakeUp());
        assertEquals(0, a.outstanding());
    }
}
