// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HeartbeatRingTest {
    private static HeartbeatRing ring(int members, int zones) {
        return new HeartbeatRing(LongStream.rangeClosed(1, members)
                .mapToObj(i -> new WatchedMember(new WorkerId(i), "zone-" + i * zones / (members + 1)))
                .toList());
    }

    private static long zone(WorkerId id, int members, int zones) {
        return id.value() * zones / (members + 1);
    }

    @Test
    void watchersAreInOtherZonesThanTheMemberAndThanEachOther() {
        HeartbeatRing ring = ring(30, 3);
        for (long i = 1; i <= 30; i++) {
            List<WorkerId> watchers = ring.watchersOf(new WorkerId(i), 2);
            long own = zone(new WorkerId(i), 30, 3);
            long first = zone(watchers.getFirst(), 30, 3);
            long second = zone(watchers.getLast(), 30, 3);
            assertFalse(own == first || own == second || first == second, "member " + i);
        }
    }

    @Test
    void inOneZoneTheNextOnesWatch() {
        assertEquals(List.of(new WorkerId(4), new WorkerId(5)), ring(9, 1).watchersOf(new WorkerId(3), 2));
        assertEquals(List.of(new WorkerId(1), new WorkerId(2)), ring(9, 1).watchersOf(new WorkerId(9), 2));
    }

    @Test
    void aPairWatchesEachOther() {
        assertEquals(List.of(new WorkerId(2)), ring(2, 1).watchersOf(new WorkerId(1), 2));
    }
}
