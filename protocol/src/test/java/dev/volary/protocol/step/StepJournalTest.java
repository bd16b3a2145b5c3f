package dev.volary.protocol.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.GroupTerm;
import dev.volary.protocol.Incarnation;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Recorded;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StepJournalTest {
    private static final NodeId LEAD = new NodeId(1);
    private static final NodeId SECOND = new NodeId(2);
    private static final NodeId THIRD = new NodeId(3);
    private static final StepRecord STEP = new StepRecord(4, 17, 1e-9, List.of());

    private final StepJournal lead = new StepJournal(Duration.ofMillis(50));

    private void leads(long term, NodeId... others) {
        lead.elected(term, true, 0);
        lead.tick(List.of(others), new Actions(), 0);
        for (NodeId other : others) {
            lead.known(other, new Message.StepsKnown(term, Optional.empty()));
        }
    }

    private static Message.StepHeard heard(long term) {
        return new Message.StepHeard(term, STEP.step(), STEP.sid());
    }

    @Test
    void aRecordCountsOnceEveryLivingSpawnerHasIt() {
        leads(1, SECOND, THIRD);
        lead.write(STEP, new Actions(), 0);
        lead.heard(SECOND, heard(1));
        assertFalse(lead.counts(STEP));
        lead.heard(THIRD, heard(1));
        assertTrue(lead.counts(STEP));
    }

    @Test
    void aLoneSpawnersRecordCountsAtOnce() {
        leads(1);
        lead.write(STEP, new Actions(), 0);
        assertTrue(lead.counts(STEP));
    }

    @Test
    void nothingCountsOnceASpawnerIsTakenForGoneUntilThereIsAnotherTerm() {
        leads(1, SECOND, THIRD);
        lead.write(STEP, new Actions(), 0);
        lead.heard(SECOND, heard(1));
        lead.lost();
        lead.tick(List.of(SECOND), new Actions(), 1);
        assertFalse(lead.counts(STEP));
        leads(2, SECOND);
        assertFalse(lead.counts(STEP), "the copies of an earlier term count for nothing");
        lead.heard(SECOND, heard(2));
        assertTrue(lead.counts(STEP));
    }

    @Test
    void aNewLeadHearsWhatAnyOfTheOthersHas() {
        lead.elected(2, true, 0);
        Actions asked = new Actions();
        lead.tick(List.of(SECOND), asked, 0);
        assertEquals(List.of(new Action.Send(SECOND, new Message.StepsWanted(2))), asked.list());
        assertFalse(lead.isRead());
        lead.known(SECOND, new Message.StepsKnown(2, Optional.of(STEP)));
        assertTrue(lead.isRead());
        assertEquals(Optional.of(STEP), lead.newest());
    }

    @Test
    void whoHasAnsweredALaterLeadTakesNothingFromAnEarlierOne() {
        StepJournal copy = new StepJournal(Duration.ofMillis(50));
        copy.asked(SECOND, new Message.StepsWanted(2), new Actions());
        Actions answer = new Actions();
        copy.written(LEAD, new Message.StepWritten(1, STEP), answer);
        assertEquals(List.of(), answer.list());
        assertEquals(Optional.empty(), copy.newest());
    }

    @Test
    void whatDaemonsKnowAddsUp() {
        lead.known(SECOND, new Message.StepsKnown(0, Optional.of(part(0))));
        lead.known(THIRD, new Message.StepsKnown(0, Optional.of(part(1))));
        assertEquals(2, lead.newest().orElseThrow().parts().size());
    }

    private static StepRecord part(int block) {
        var incarnation = new Incarnation(new GroupTerm(1, LEAD), 1);
        return new StepRecord(4, 17, 1e-9, List.of(new Message.StoredPart(new Recorded(block, incarnation, 5), 6)));
    }
}
