// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.group;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.serves;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.placement.BlockFailures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Spawner 1 assigns the chain 0 - 1 - 2 - 3: blocks 0 and 1 to daemon 11, blocks 2 and 3 to daemon 12. */
class BlockAssignmentsTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Member SPAWNER = spawner(1);
    private static final GroupTerm TERM = new GroupTerm(1, SPAWNER.id());
    private static final Member ONE = daemon(11);
    private static final Member TWO = daemon(12);
    private static final Member STANDBY = daemon(13);

    private final BlockDirectory directory = new BlockDirectory();
    private final BlockAssignments assignments = new BlockAssignments(chain(4), RETRY, directory, TERM);
    private final SpawnerTurn shared = new SpawnerTurn(0);

    BlockAssignmentsTest() {
        assignments.assignFirst(group(SPAWNER, 2, 0, 1, 2, 3), List.of(ONE, TWO), shared);
    }

    private static List<BlockMessage.Assign> assigns(SpawnerTurn turn, Member to) {
        return messagesTo(to.id(), turn).stream()
                .filter(BlockMessage.Assign.class::isInstance)
                .map(BlockMessage.Assign.class::cast)
                .toList();
    }

    private static ProgressMessage.BlockProgress progress(int block, Incarnation incarnation) {
        return new ProgressMessage.BlockProgress(block, incarnation, 1, 1, 1, 0, 0);
    }

    private static Incarnation first() {
        return incarnation(1, Epochs.first(1));
    }

    private void accept(Member daemon, Integer... blocks) {
        assignments.progress(new ProgressMessage.DaemonReport(
                daemon.id(),
                List.of(blocks).stream().map(block -> progress(block, first())).toList()));
    }

    private SpawnerTurn tick(long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        assignments.tick(turn);
        return turn;
    }

    private Map<Member, List<Integer>> place(BlockFailures failures, SpawnerTurn turn) {
        return assignments.place(List.of(ONE, TWO, STANDBY), id -> false, failures, turn);
    }

    @Test
    void eachDaemonIsAssignedItsBlocksUnderTheFirstIncarnation() {
        assertEquals(
                List.of(new BlockMessage.Assign(
                        TERM, List.of(serves(ONE, 0, first()), serves(ONE, 1, first())), List.of())),
                assigns(shared, ONE));
        assertEquals(List.of(2, 3), assignments.blocksOf(TWO.id()));
    }

    @Test
    void anAssignmentIsRepeatedUntilTheDaemonReportsAllOfItsBlocks() {
        accept(ONE, 0, 1);
        accept(TWO, 2);
        assertTrue(assignments.hasAccepted(ONE.id()));
        assertFalse(assignments.hasAccepted(TWO.id()), "block 3 is missing");
        assertEquals(List.of(), messages(tick(RETRY.toNanos() - 1)));
        SpawnerTurn due = tick(RETRY.toNanos());
        assertEquals(List.of(), assigns(due, ONE));
        assertEquals(assigns(shared, TWO), assigns(due, TWO));
    }

    @Test
    void aDirectoryUpdateIsRepeatedUntilItsVersionIsAcknowledged() {
        accept(ONE, 0, 1);
        accept(TWO, 2, 3);
        BlockMessage.DirectoryUpdate update =
                (BlockMessage.DirectoryUpdate) messagesTo(ONE.id(), shared).getLast();
        assertEquals(List.of(serves(TWO, 2, first())), update.entries(), "the neighbor of block 1");
        assignments.acknowledged(ONE.id(), update.version() - 1);
        assertEquals(List.of(update), messagesTo(ONE.id(), tick(RETRY.toNanos())));
        assignments.acknowledged(ONE.id(), update.version());
        assertEquals(List.of(), messagesTo(ONE.id(), tick(2 * RETRY.toNanos())));
    }

    @Test
    void theBlocksOfALostDaemonGoToAnotherOneUnderTheNextIncarnation() {
        assertEquals(List.of(2, 3), assignments.release(TWO.id()));
        assertEquals(List.of(2, 3), assignments.parked());
        SpawnerTurn turn = new SpawnerTurn(1);
        assertEquals(
                Map.of(STANDBY, List.of(2, 3)),
                assignments.place(List.of(ONE, STANDBY), id -> false, new BlockFailures(3), turn));
        Incarnation next = incarnation(1, Epochs.first(1) + 1);
        assertEquals(
                List.of(serves(STANDBY, 2, next), serves(STANDBY, 3, next)),
                assigns(turn, STANDBY).getFirst().blocks());
        assertEquals(
                List.of(new BlockMessage.StaleIncarnation(2, next), new BlockMessage.StaleIncarnation(3, next)),
                messagesTo(TWO.id(), turn),
                "the old daemon is fenced");
        assertTrue(
                messagesTo(ONE.id(), turn).stream().anyMatch(BlockMessage.DirectoryUpdate.class::isInstance),
                "the neighbor receives the new place of block 2");
        assertEquals(List.of(), assignments.parked());
    }

    @Test
    void blocksThatFitNowhereStayParked() {
        assignments.release(TWO.id());
        SpawnerTurn turn = new SpawnerTurn(1);
        assertEquals(Map.of(), assignments.place(List.of(daemon(14, 5)), id -> false, new BlockFailures(3), turn));
        assertEquals(List.of(2, 3), assignments.parked());
        assertEquals(List.of(), messages(turn));
    }

    @Test
    void aBlockDoesNotGoToADaemonThatItFailedOn() {
        BlockFailures failures = new BlockFailures(3);
        failures.failed(2, STANDBY.id());
        assignments.release(TWO.id(), Set.of(2));
        Map<Member, List<Integer>> given = place(failures, new SpawnerTurn(1));
        assertFalse(given.containsKey(STANDBY), given::toString);
        assertEquals(1, given.size());
    }

    @Test
    void aDaemonThatComputesAnOlderIncarnationIsFenced() {
        assignments.release(TWO.id());
        place(new BlockFailures(3), new SpawnerTurn(1));
        SpawnerTurn turn = new SpawnerTurn(2);
        assignments.acceptComputed(TWO, progress(2, first()), turn);
        assertEquals(
                List.<Message>of(new BlockMessage.StaleIncarnation(
                        2, directory.find(2).orElseThrow().incarnation())),
                messages(turn));
    }

    @Test
    void aDaemonThatComputesANewerIncarnationServesTheBlock() {
        Incarnation newer = incarnation(1, Epochs.first(1) + 5);
        assignments.acceptComputed(STANDBY, progress(2, newer), new SpawnerTurn(1));
        assertEquals(List.of(2), assignments.blocksOf(STANDBY.id()));
        assertEquals(List.of(3), assignments.blocksOf(TWO.id()));
        assertEquals(Optional.of(STANDBY.id()), directory.daemonOf(2));
    }

    @Test
    void blocksOfAnotherOwnerAreNoLongerAssigned() {
        assignments.cede(List.of(1, 2), new SpawnerTurn(1));
        assertEquals(List.of(0, 3), assignments.blocks());
        assertEquals(List.of(0), assignments.blocksOf(ONE.id()));
        assertEquals(List.of(3), assignments.blocksOf(TWO.id()));
    }

    @Test
    void blocksThatAreTakenOverGoOnWhereTheyAreAndUnknownOnesAreReturned() {
        BlockAssignments heir = new BlockAssignments(chain(4), RETRY, new BlockDirectory(), TERM);
        GroupTerm term = new GroupTerm(2, SPAWNER.id());
        SpawnerTurn turn = new SpawnerTurn(1);
        assertEquals(
                List.of(3),
                heir.take(
                        term,
                        List.of(2, 3),
                        List.of(serves(TWO, 2, first()), serves(STANDBY, 3, first())),
                        TWO.id()::equals,
                        turn));
        assertEquals(term, heir.term());
        assertEquals(List.of(2, 3), heir.blocks());
        assertEquals(List.of(2), heir.blocksOf(TWO.id()));
        assertEquals(List.of(), assigns(turn, TWO), "it computes on under the incarnation that it has");
    }

    /** The heir may have forgotten it since it read of it in the other group's update. */
    @Test
    void theDaemonOfABlockThatIsTakenOverIsMadeReachableAlsoWithoutACopyOfTheDirectory() {
        BlockDirectory known = new BlockDirectory();
        known.merge(serves(TWO, 2, first()));
        BlockAssignments heir = new BlockAssignments(chain(4), RETRY, known, TERM);
        SpawnerTurn turn = new SpawnerTurn(1);
        heir.take(new GroupTerm(2, SPAWNER.id()), List.of(2), List.of(), id -> false, turn);
        assertTrue(turn.actions().contains(new WorkerAction.AddPeer(TWO)));
    }

    @Test
    void aRestartGivesAllBlocksIncarnationsOfTheNewEpoch() {
        accept(ONE, 0, 1);
        SpawnerTurn turn = new SpawnerTurn(1);
        assertEquals(Map.of(), assignments.restart(7, List.of(ONE, TWO), new BlockFailures(3), turn));
        assertEquals(
                List.of(ONE.id(), TWO.id()), receivers(turn).stream().distinct().toList());
        for (int block = 0; block < 4; block++) {
            assertEquals(incarnation(1, 7), directory.find(block).orElseThrow().incarnation());
        }
        assertFalse(assignments.hasAccepted(ONE.id()), "what it reported is of the epoch before");
    }

    @Test
    void aNeighborGroupReceivesTheBoundaryBlocksOnly() {
        BlockAssignments left = new BlockAssignments(chain(4), RETRY, new BlockDirectory(), TERM);
        Member other = spawner(2);
        left.assignFirst(group(SPAWNER, 1, 0, 1), List.of(ONE), new SpawnerTurn(0));
        SpawnerTurn turn = new SpawnerTurn(1);
        left.updateOtherGroups(List.of(group(SPAWNER, 1, 0, 1), group(other, 1, 2, 3)), SPAWNER.id(), turn);
        BlockMessage.DirectoryUpdate update =
                (BlockMessage.DirectoryUpdate) messagesTo(new WorkerId(2), turn).getFirst();
        assertEquals(List.of(serves(ONE, 1, first())), update.entries());
    }
}
