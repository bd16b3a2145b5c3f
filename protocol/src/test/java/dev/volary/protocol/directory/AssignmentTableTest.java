// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.serves;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Daemon 11 has blocks 2 and 4, daemon 12 has block 3. */
class AssignmentTableTest {
    private static final Member FIRST = daemon(11);
    private static final Member SECOND = daemon(12);
    private static final Incarnation OLD = incarnation(1, 1);
    private static final Incarnation NEW = incarnation(1, 2);
    private static final BlockAssignment TWO = serves(FIRST, 2, OLD);
    private static final BlockAssignment FOUR = serves(FIRST, 4, OLD);

    private final AssignmentTable table = new AssignmentTable();

    AssignmentTableTest() {
        table.assign(FIRST.id(), List.of(TWO, FOUR));
        table.assign(SECOND.id(), List.of(serves(SECOND, 3, OLD)));
    }

    private void report(Member daemon, Incarnation incarnation, Integer... blocks) {
        table.reported(new ProgressMessage.DaemonReport(
                daemon.id(),
                Stream.of(blocks)
                        .map(block -> new ProgressMessage.BlockProgress(block, incarnation, 5, 5, 0.1, 0, 0))
                        .toList()));
    }

    @Test
    void entriesOfADaemonAreAscendingByBlock() {
        BlockAssignment three = serves(FIRST, 3, NEW);
        table.assign(FIRST.id(), List.of(three));
        assertEquals(List.of(TWO, three, FOUR), table.entriesOf(FIRST.id()));
        assertEquals(List.of(2, 3, 4), table.blocksOf(FIRST.id()));
    }

    @Test
    void aDaemonAcceptsItsAssignmentByReportingAllOfIt() {
        report(FIRST, OLD, 2);
        assertFalse(table.hasAccepted(FIRST.id()), "block 4 is missing");
        report(FIRST, OLD, 2, 4);
        assertTrue(table.hasAccepted(FIRST.id()));
        assertFalse(table.isAccepted(), "daemon 12 has not reported");
        report(SECOND, OLD, 3);
        assertTrue(table.isAccepted());
    }

    @Test
    void blocksUnderOtherIncarnationsAreNotAccepted() {
        report(SECOND, NEW, 3);
        assertFalse(table.hasAccepted(SECOND.id()));
    }

    @Test
    void aDaemonWithoutBlocksAcceptsNothing() {
        report(daemon(13), OLD);
        assertFalse(table.hasAccepted(daemon(13).id()));
    }

    @Test
    void moreBlocksMustBeAcceptedAgain() {
        report(SECOND, OLD, 3);
        table.assign(SECOND.id(), List.of(serves(SECOND, 5, OLD)));
        assertFalse(table.hasAccepted(SECOND.id()));
    }

    @Test
    void aBlockThatIsComputedAlreadyNeedsNoAcceptance() {
        report(SECOND, OLD, 3);
        table.add(serves(SECOND, 3, NEW));
        assertEquals(List.of(serves(SECOND, 3, NEW)), table.entriesOf(SECOND.id()));
        assertTrue(table.hasAccepted(SECOND.id()));
    }

    @Test
    void blocksAreTakenFromOneDaemonOrFromAll() {
        table.removeIf(FIRST.id(), entry -> entry.block() >= 3);
        assertEquals(Map.of(FIRST.id(), List.of(2), SECOND.id(), List.of(3)), table.blocksByDaemon());
        table.removeIf(entry -> entry.block() >= 3);
        assertEquals(Map.of(FIRST.id(), List.of(2)), table.blocksByDaemon());
    }

    @Test
    void aDaemonThatLosesAllBlocksHasAcceptedNothing() {
        report(SECOND, OLD, 3);
        table.removeIf(entry -> entry.block() == 3);
        table.assign(SECOND.id(), List.of(serves(SECOND, 3, OLD)));
        assertFalse(table.hasAccepted(SECOND.id()));
        report(SECOND, OLD, 3);
        table.remove(SECOND.id());
        assertFalse(table.hasAccepted(SECOND.id()));
        assertEquals(2, table.entries());
    }

    @Test
    void afterARollbackAllBlocksAreWhereTheyWereAndMustBeAcceptedAgain() {
        report(FIRST, OLD, 2, 4);
        table.renew(NEW);
        assertEquals(List.of(serves(FIRST, 2, NEW), serves(FIRST, 4, NEW)), table.entriesOf(FIRST.id()));
        assertFalse(table.hasAccepted(FIRST.id()));
        report(FIRST, NEW, 2, 4);
        assertTrue(table.hasAccepted(FIRST.id()));
    }
}
