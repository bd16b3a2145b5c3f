// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.directory.BlockAssignments;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ReplacementTest {
    private static final Duration RETRY = Duration.ofMillis(1);
    private static final Member SPAWNER = member(WorkerRole.SPAWNER, 1, 0);
    private static final GroupTerm TERM = new GroupTerm(1, SPAWNER.id());
    private static final BlockFailures NONE = new BlockFailures(3);

    private final List<Member> daemons = List.of(
            member(WorkerRole.DAEMON, 100, 40), member(WorkerRole.DAEMON, 101, 20), member(WorkerRole.DAEMON, 102, 40));
    private final BlockDirectory register = new BlockDirectory();
    private final BlockAssignments assignments = assignments();

    private static Member member(WorkerRole role, long id, long memory) {
        return new Member(
                new WorkerId(id), role, "w-" + id, new Address("virtual", (int) id), "virtual", "", 1, memory);
    }

    /** Six blocks in a chain, each of 10 bytes, two for each of three daemons. */
    private BlockAssignments assignments() {
        List<JobGraph.BlockShape> blocks = new ArrayList<>();
        for (int b = 0; b < 6; b++) {
            TreeSet<Integer> neighbors = new TreeSet<>(Set.of(Math.max(0, b - 1), Math.min(5, b + 1)));
            neighbors.remove(b);
            blocks.add(new JobGraph.BlockShape(List.copyOf(neighbors), List.copyOf(neighbors), 10, 1));
        }
        TakeoverMessage.GroupPlan own = new TakeoverMessage.GroupPlan(TERM, SPAWNER, List.of(0, 1, 2, 3, 4, 5), 3);
        BlockAssignments shared = new BlockAssignments(new JobGraph(blocks), RETRY, register, TERM);
        shared.assignFirst(own, daemons, new SpawnerTurn(0));
        return shared;
    }

    private SpawnerTurn lose(Member lost, List<Member> left) {
        assignments.release(lost.id());
        SpawnerTurn turn = new SpawnerTurn(0);
        assignments.place(left, id -> false, NONE, turn);
        return turn;
    }

    private static <T extends Message> List<T> sent(SpawnerTurn turn, WorkerId to, Class<T> kind) {
        return turn.actions().stream()
                .filter(WorkerAction.Send.class::isInstance)
                .map(WorkerAction.Send.class::cast)
                .filter(send -> send.to().equals(to) && kind.isInstance(send.message()))
                .map(send -> kind.cast(send.message()))
                .toList();
    }

    @Test
    void aStandbyTakesAllBlocksOfALostDaemonUnderTheNextIncarnation() {
        Member standby = member(WorkerRole.DAEMON, 103, 20);
        SpawnerTurn turn = lose(daemons.get(0), List.of(daemons.get(1), daemons.get(2), standby));
        BlockMessage.Assign assign =
                sent(turn, standby.id(), BlockMessage.Assign.class).getFirst();
        assertEquals(List.of(0, 1), assign.blocks().stream().map(e -> e.block()).toList());
        assertTrue(assign.blocks().stream().allMatch(e -> e.incarnation().equals(new Incarnation(TERM, 2))));
        assertEquals(
                2,
                sent(turn, daemons.get(0).id(), BlockMessage.StaleIncarnation.class)
                        .size());
    }

    @Test
    void onlyNeighborsOfTheLostBlocksReceiveAnUpdate() {
        SpawnerTurn turn =
                lose(daemons.get(0), List.of(daemons.get(1), daemons.get(2), member(WorkerRole.DAEMON, 103, 20)));
        assertEquals(
                2,
                sent(turn, daemons.get(1).id(), BlockMessage.DirectoryUpdate.class)
                        .getFirst()
                        .version());
        assertEquals(List.of(), sent(turn, daemons.get(2).id(), BlockMessage.DirectoryUpdate.class));
    }

    @Test
    void survivorsTakeBlocksAsFarAsTheirMemoryAllowsAndTheRestWaits() {
        lose(daemons.get(2), List.of(daemons.get(0), daemons.get(1)));
        assertEquals(List.of(0, 1, 4, 5), assignments.blocksOf(daemons.get(0).id()));
        lose(daemons.get(0), List.of(daemons.get(1)));
        assertEquals(List.of(0, 1, 4, 5), assignments.parked());
        SpawnerTurn turn = new SpawnerTurn(0);
        Map<Member, List<Integer>> given =
                assignments.place(List.of(daemons.get(1), member(WorkerRole.DAEMON, 103, 30)), id -> false, NONE, turn);
        assertEquals(List.of(List.of(0, 1, 4)), List.copyOf(given.values()));
        assertEquals(List.of(5), assignments.parked());
    }

    @Test
    void anAssignmentIsAcceptedOnceTheDaemonReportsItsIncarnations() {
        Member standby = member(WorkerRole.DAEMON, 103, 20);
        lose(daemons.get(0), List.of(daemons.get(1), daemons.get(2), standby));
        assignments.progress(report(standby, 1));
        assertFalse(assignments.hasAccepted(standby.id()));
        assignments.progress(report(standby, 2));
        assertTrue(assignments.hasAccepted(standby.id()));
    }

    private static ProgressMessage.DaemonReport report(Member daemon, int counter) {
        Incarnation incarnation = new Incarnation(TERM, counter);
        return new ProgressMessage.DaemonReport(
                daemon.id(),
                List.of(
                        new ProgressMessage.BlockProgress(0, incarnation, 0, 0, 0, 0, 0),
                        new ProgressMessage.BlockProgress(1, incarnation, 0, 0, 0, 0, 0)));
    }

    @Test
    void aBlockIsGivenUpAfterItsAttemptsUnlessItMadeProgress() {
        BlockFailures attempts = new BlockFailures(2);
        assertFalse(attempts.failed(7, new WorkerId(100)));
        assertFalse(attempts.failed(7, new WorkerId(100)), "the same daemon counts once");
        attempts.progressed(7, new WorkerId(100));
        assertFalse(attempts.failed(7, new WorkerId(101)));
        assertTrue(attempts.failed(7, new WorkerId(102)));
    }
}
