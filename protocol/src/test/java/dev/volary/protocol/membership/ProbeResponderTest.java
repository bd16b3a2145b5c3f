// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Samples;
import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.MembershipMessage.ProbeAnswer;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Member 2 of the group of members 1 to 4; member 1 asks for member 3, whose last message arrived at 8 s. */
class ProbeResponderTest {
    private static final long MS = 1_000_000;
    private static final long NOW = 10_000 * MS;
    private static final WorkerId SELF = new WorkerId(2);
    private static final WorkerId ASKER = new WorkerId(1);
    private static final WorkerId SUSPECT = new WorkerId(3);

    private final FailureDetectorConfig config = FailureDetectorConfig.confirmed(2, Duration.ofSeconds(2));
    private final MembershipView view = MemberLists.viewOf(SELF, 4, config);
    private final ProbeResponder responder = new ProbeResponder(view);
    private final SpawnerTurn turn = new SpawnerTurn(NOW);

    ProbeResponderTest() {
        view.peer(SUSPECT).received(8_000 * MS);
    }

    private static WorkerAction.Send answerTo(WorkerId asker, long silentMillis, boolean refused) {
        return new WorkerAction.Send(asker, new ProbeAnswer(SUSPECT, silentMillis * MS, refused, 0));
    }

    @Test
    void theSuspectItselfRefutes() {
        responder.probed(ASKER, SELF, turn);
        assertEquals(List.of(new WorkerAction.Send(ASKER, new MembershipMessage.Refutation())), Samples.sends(turn));
    }

    @Test
    void aSuspectThatIsSilentHereTooIsProbed() {
        responder.probed(ASKER, SUSPECT, turn);
        assertEquals(
                List.of(
                        answerTo(ASKER, 2_000, false),
                        new WorkerAction.Send(SUSPECT, new MembershipMessage.Probe(SUSPECT))),
                Samples.sends(turn));
    }

    @Test
    void allThatWaitForASuspectReceiveItsSignOfLifeOnce() {
        WorkerId second = new WorkerId(4);
        responder.probed(ASKER, SUSPECT, new SpawnerTurn(NOW));
        responder.probed(second, SUSPECT, new SpawnerTurn(NOW));
        assertEquals(2, responder.entries());
        view.peer(SUSPECT).received(NOW);
        responder.answerWaiting(view.peer(SUSPECT), turn);
        responder.answerWaiting(view.peer(SUSPECT), turn);
        assertEquals(List.of(answerTo(ASKER, 0, false), answerTo(second, 0, false)), Samples.sends(turn));
        assertEquals(0, responder.entries());
    }

    @Test
    void aRefusedConnectionIsPassedOnWithTheAgeOfTheLastMessage() {
        responder.probed(ASKER, SUSPECT, new SpawnerTurn(NOW));
        view.peer(SUSPECT).refused(NOW);
        responder.answerWaiting(view.peer(SUSPECT), turn);
        assertEquals(List.of(answerTo(ASKER, 2_000, true)), Samples.sends(turn));
    }

    @Test
    void aSuspectThatSentJustNowIsNotProbed() {
        view.peer(SUSPECT).received(NOW);
        responder.probed(ASKER, SUSPECT, turn);
        assertEquals(List.of(answerTo(ASKER, 0, false)), Samples.sends(turn));
        assertEquals(0, responder.entries());
    }

    /** Three jobs on two cores: owner and suspect had sent each other nothing since the delays began, two others confirmed. */
    @Test
    void anAnswerSaysHowLateTheAnsweringMemberRunsIfItKnowsOfNoLongerDelayOfTheSuspect() {
        assertEquals(1_000, delayInAnswer(1_000, 700));
    }

    @Test
    void aLongerDelayOfTheSuspectCounts() {
        assertEquals(1_500, delayInAnswer(1_000, 1_500));
    }

    /** The delay in an answer of a member that runs late and knows of a delay of the suspect; all in milliseconds. */
    private long delayInAnswer(long own, long suspects) {
        view.schedulingDelay.record(own * MS, NOW);
        view.peer(SUSPECT).delayNanos = suspects * MS;
        responder.probed(ASKER, SUSPECT, turn);
        ProbeAnswer answer = (ProbeAnswer) Samples.sends(turn).getFirst().message();
        assertEquals(new ProbeAnswer(SUSPECT, 2_000 * MS, false, answer.delayNanos()), answer);
        return answer.delayNanos() / MS;
    }

    @Test
    void probesOfFormerMembersAreForgotten() {
        responder.probed(ASKER, SUSPECT, turn);
        assertTrue(view.updateMembers(MemberLists.of(2, 2), NOW));
        responder.retain();
        assertEquals(0, responder.entries());
        SpawnerTurn later = new SpawnerTurn(NOW);
        responder.probed(ASKER, SUSPECT, later);
        assertEquals(List.of(), Samples.sends(later), "nothing is known of them");
    }
}
