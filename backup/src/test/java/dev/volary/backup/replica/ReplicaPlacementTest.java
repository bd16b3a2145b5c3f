// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ReplicaPlacementTest {
    private static BackupHolder holder(long id, String host, String zone) {
        return new BackupHolder(new WorkerId(id), host, zone, new Address("127.0.0.1", 1));
    }

    private static List<Long> ids(List<BackupHolder> holders) {
        return holders.stream().map(h -> h.id().value()).toList();
    }

    @Test
    void slotsAreInOtherZonesThanTheOwnerAndEachOther() {
        List<BackupHolder> live = List.of(
                holder(1, "a", "z1"),
                holder(2, "b", "z1"),
                holder(3, "c", "z2"),
                holder(4, "d", "z2"),
                holder(5, "e", "z3"));
        for (int block = 0; block < 20; block++) {
            List<BackupHolder> slots = ReplicaPlacement.choose(block, live.getFirst(), List.of(), live, 2);
            assertEquals(2, slots.size());
            assertTrue(slots.stream().noneMatch(h -> h.zone().equals("z1")), slots.toString());
            assertFalse(slots.get(0).zone().equals(slots.get(1).zone()), slots.toString());
        }
    }

    @Test
    void anotherHostIsPreferredToAnotherProcessOnTheSameHost() {
        List<BackupHolder> live = List.of(holder(1, "a", "z"), holder(2, "a", "z"), holder(3, "b", "z"));
        for (int block = 0; block < 20; block++) {
            assertEquals(List.of(3L, 2L), ids(ReplicaPlacement.choose(block, live.getFirst(), List.of(), live, 2)));
        }
    }

    @Property
    void thereAreAsManyDifferentHoldersAsThereCanBe(
            @ForAll int block,
            @ForAll @IntRange(min = 1, max = 40) int members,
            @ForAll @IntRange(min = 1, max = 5) int k) {
        List<BackupHolder> live = LongStream.rangeClosed(1, members)
                .mapToObj(i -> holder(i, "h" + i % 7, "z" + i % 3))
                .toList();
        List<Long> slots = ids(ReplicaPlacement.choose(block, live.getFirst(), List.of(), live, k));
        assertEquals(Math.min(k, members - 1), slots.size());
        assertEquals(slots.size(), slots.stream().distinct().count());
        assertFalse(slots.contains(1L));
    }

    @Test
    void aDeathMovesOnlyTheSlotsOfTheDeadHolder() {
        List<BackupHolder> live = new ArrayList<>(LongStream.rangeClosed(1, 9)
                .mapToObj(i -> holder(i, "h" + i, "z"))
                .toList());
        BackupHolder owner = live.getFirst();
        for (int block = 0; block < 50; block++) {
            List<BackupHolder> before = ReplicaPlacement.choose(block, owner, List.of(), live, 3);
            for (int slot : IntStream.range(0, 3).toArray()) {
                List<BackupHolder> rest =
                        live.stream().filter(h -> !h.equals(before.get(slot))).toList();
                List<BackupHolder> after = ReplicaPlacement.choose(block, owner, before, rest, 3);
                for (int other = 0; other < 3; other++) {
                    assertEquals(other != slot, before.get(other).equals(after.get(other)));
                }
            }
        }
    }

    @Test
    void aNewMemberThatIsNoFartherAwayMovesNoSlot() {
        List<BackupHolder> live =
                new ArrayList<>(List.of(holder(1, "a", "z"), holder(2, "b", "z"), holder(3, "c", "z")));
        for (int block = 0; block < 50; block++) {
            List<BackupHolder> before = ReplicaPlacement.choose(block, live.getFirst(), List.of(), live, 2);
            List<BackupHolder> more = new ArrayList<>(live);
            more.add(holder(4, "d", "z"));
            assertEquals(before, ReplicaPlacement.choose(block, live.getFirst(), before, more, 2));
        }
    }

    /** 200 blocks on 9 equal holders: 22.2 each on average, σ = √(200·(1/9)·(8/9)) = 4.4; five σ either side. */
    @Test
    void blocksAreSpreadOverEqualHolders() {
        List<BackupHolder> live = LongStream.rangeClosed(1, 10)
                .mapToObj(i -> holder(i * 7919, "h" + i, "z"))
                .toList();
        int[] count = new int[11];
        for (int block = 0; block < 200; block++) {
            BackupHolder slot = ReplicaPlacement.choose(block, live.getFirst(), List.of(), live, 1)
                    .getFirst();
            count[(int) (slot.id().value() / 7919)]++;
        }
        for (int i = 2; i <= 10; i++) {
            assertTrue(count[i] > 0 && count[i] < 45, "holder " + i + " has " + count[i]);
        }
    }
}
