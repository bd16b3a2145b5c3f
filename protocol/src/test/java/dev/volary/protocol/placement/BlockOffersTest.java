// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Three spawners beside this one; the last of them has daemons that find this group's copies. */
class BlockOffersTest {
    private static final long RETRY = 50;
    private static final Member SELF =
            new Member(new WorkerId(1), WorkerRole.SPAWNER, "s", new Address("virtual", 1), "virtual", "a", 1, 0);
    private static final WorkerId BUDDY = new WorkerId(4);
    private static final TreeSet<WorkerId> OTHERS = new TreeSet<>(List.of(new WorkerId(2), new WorkerId(3), BUDDY));

    private final BlockOffers lending = new BlockOffers(SELF, Duration.ofNanos(RETRY));

    @Test
    void blocksWithoutADaemonAreOfferedInEachPeriodToTheBuddyFirst() {
        assertEquals(List.of("0 4 [7]", "50 2 [7]", "100 3 [7]", "150 4 [7]"), asked(false, List.of(7), 0, 200));
    }

    @Test
    void aStandbyForACrowdedGroupIsAskedForLessOften() {
        assertEquals(List.of("0 2 []", "500 3 []", "1000 4 []", "1500 2 []"), asked(true, List.of(), 0, 2_000));
    }

    @Test
    void blocksWithoutADaemonDoNotWaitForThat() {
        asked(true, List.of(), 0, 10);
        assertEquals(List.of("60 4 [7]"), asked(true, List.of(7), 60, 100));
    }

    @Test
    void aGroupThatHasEnoughDaemonsAsksNoSpawner() {
        assertEquals(List.of(), asked(false, List.of(), 0, 2_000));
    }

    /** Each request as time, spawner and blocks. */
    private List<String> asked(boolean crowded, List<Integer> parked, long from, long to) {
        List<String> asked = new ArrayList<>();
        for (long now = from; now < to; now += 10) {
            SpawnerTurn turn = new SpawnerTurn(now);
            lending.tick(crowded, parked, List.of(), List.of(), List.of(BUDDY), OTHERS, turn);
            for (SpawnerAction action : turn.actions()) {
                if (action instanceof WorkerAction.Send(WorkerId spawner, TakeoverMessage.BlocksOffered offer)) {
                    asked.add(now + " " + spawner.value() + " " + offer.blocks());
                }
            }
        }
        return asked;
    }
}
