package dev.volary.protocol.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.volary.protocol.NodeId;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RingTest {
    private static Ring ring(int members, int zones) {
        return new Ring(LongStream.rangeClosed(1, members)
                .mapToObj(i -> new WatchedMember(new NodeId(i), "zone-" + i * zones / (members + 1)))
                .toList());
    }

    private static long zone(NodeId id, int members, int zones) {
        return id.value() * zones / (members + 1);
    }

    @Test
    void watchersAreInOtherZonesThanTheMemberAndThanEachOther() {
        Ring ring = ring(30, 3);
        for (long i = 1; i <= 30; i++) {
            List<NodeId> watchers = ring.watchersOf(new NodeId(i), 2);
            long own = zone(new NodeId(i), 30, 3);
            long first = zone(watchers.getFirst(), 30, 3);
            long second = zone(watchers.getLast(), 30, 3);
            assertFalse(own == first || own == second || first == second, "member " + i);
        }
    }

    @Test
    void inOneZoneTheNextOnesWatch() {
        assertEquals(List.of(new NodeId(4), new NodeId(5)), ring(9, 1).watchersOf(new NodeId(3), 2));
        assertEquals(List.of(new NodeId(1), new NodeId(2)), ring(9, 1).watchersOf(new NodeId(9), 2));
    }

    @Test
    void aPairWatchesEachOther() {
        assertEquals(List.of(new NodeId(2)), ring(2, 1).watchersOf(new NodeId(1), 2));
    }
}
