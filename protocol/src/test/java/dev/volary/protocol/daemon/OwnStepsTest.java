package dev.volary.protocol.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.Event;
import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Recorded;
import dev.volary.protocol.step.StepRecord;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two blocks that read from each other, one of them here. */
class OwnStepsTest {
    private static final int HERE = 0;
    private static final Incarnation FIRST = new Incarnation(new GroupTerm(1, new NodeId(1)), 1);
    private static final Incarnation SECOND = new Incarnation(new GroupTerm(1, new NodeId(1)), 2);
    private static final int PATIENCE = 20;

    private final OwnSteps steps = new OwnSteps(new JobShape(List.of(block(1), block(0)), 3));

    @Test
    void aBlockThatIsOpenedFromAnOlderStateTakesTheNewestCommit() {
        steps.committed(record(2), new Actions());
        assertEquals(List.of(new Action.CommitStep(HERE, FIRST, record(2))), opened(FIRST, 1));
    }

    @Test
    void aBlockThatIsBeyondTheCommitKeepsWhatItHas() {
        steps.committed(record(1), new Actions());
        assertEquals(List.of(), opened(FIRST, 2));
    }

    @Test
    void valuesThatCannotBeHadAreAskedForAgainAndInTheEndTheStateIsLost() {
        opened(FIRST, 1);
        for (int attempt = 1; attempt < PATIENCE; attempt++) {
            assertEquals(List.of(new Action.CommitStep(HERE, FIRST, record(1))), committed(1));
            assertEquals(Optional.empty(), lost(FIRST, 1));
        }
        assertEquals(1, committed(1).size());
        String reason = lost(FIRST, 1).orElseThrow();
        assertTrue(reason.startsWith("StateLost: block 0 needs the result of step 1"), reason);
        assertTrue(reason.contains("no such file; run the job again"), reason);
    }

    @Test
    void whatIsTakenAfterAllCountsAnew() {
        opened(FIRST, 1);
        for (int attempt = 1; attempt < PATIENCE; attempt++) {
            committed(1);
            lost(FIRST, 1);
        }
        committed(1);
        assertTrue(steps.taken(new Event.StepTaken(HERE, FIRST, 2), new Actions()));
        committed(2);
        assertEquals(Optional.empty(), lost(FIRST, 2));
    }

    @Test
    void anotherIncarnationsTroubleIsNotThisOnes() {
        opened(SECOND, 1);
        committed(1);
        for (int attempt = 0; attempt <= PATIENCE; attempt++) {
            assertEquals(Optional.empty(), lost(FIRST, 1));
        }
    }

    private List<Action> opened(Incarnation incarnation, int step) {
        Actions out = new Actions();
        steps.opened(HERE, incarnation, step, out);
        return out.list();
    }

    private List<Action> committed(int step) {
        Actions out = new Actions();
        steps.committed(record(step), out);
        return out.list();
    }

    private Optional<String> lost(Incarnation incarnation, int step) {
        return steps.lost(new Event.StepLost(HERE, incarnation, step, "no such file"));
    }

    private static StepRecord record(int step) {
        return new StepRecord(step, step, 1e-9, List.of(part(0), part(1)));
    }

    private static Message.StoredPart part(int block) {
        return new Message.StoredPart(new Recorded(block, FIRST, 7), 9);
    }

    private static JobShape.BlockShape block(int other) {
        return new JobShape.BlockShape(List.of(other), List.of(other), 8, 1);
    }
}
