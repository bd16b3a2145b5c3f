// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ReachablePeersTest {
    private static final long SECOND = 1_000_000_000;

    private final ReachablePeers peers = new ReachablePeers(Duration.ofSeconds(1));

    private static Member member(long id) {
        return new Member(
                new WorkerId(id), WorkerRole.DAEMON, "d-" + id, new Address("virtual", (int) id), "virtual", "", 1, 0);
    }

    /** A turn in which these are made reachable; returns its actions of forgetting. */
    private List<DaemonAction> turn(long now, Set<Long> needed, long... added) {
        DaemonTurn turn = new DaemonTurn(now);
        Arrays.stream(added).forEach(id -> turn.add(new WorkerAction.AddPeer(member(id))));
        peers.update(turn, () -> needed.stream().map(WorkerId::new).collect(Collectors.toSet()));
        return turn.actions().stream()
                .filter(WorkerAction.ForgetPeer.class::isInstance)
                .toList();
    }

    private static WorkerAction forget(long id) {
        return new WorkerAction.ForgetPeer(new WorkerId(id));
    }

    @Test
    void aPeerIsForgottenOnceItIsNotNeeded() {
        assertEquals(List.of(), turn(0, Set.of(1L, 2L), 1, 2));
        assertEquals(List.of(forget(1)), turn(SECOND, Set.of(2L)));
        assertEquals(List.of(), turn(2 * SECOND, Set.of(2L)));
        assertEquals(1, peers.entries());
    }

    @Test
    void aPeerIsForgottenAtMostAPeriodLater() {
        assertEquals(List.of(), turn(0, Set.of()));
        assertEquals(List.of(), turn(SECOND - 1, Set.of(), 1));
        assertEquals(List.of(forget(1)), turn(SECOND, Set.of()));
    }

    @Test
    void aPeerThatIsMadeReachableAgainIsForgottenAgain() {
        assertEquals(List.of(forget(1)), turn(0, Set.of(), 1));
        assertEquals(List.of(forget(1)), turn(SECOND, Set.of(), 1));
    }
}
