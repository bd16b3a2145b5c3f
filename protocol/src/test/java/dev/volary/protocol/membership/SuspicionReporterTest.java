// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Samples;
import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.MembershipMessage.Evidence;
import dev.volary.protocol.message.MembershipMessage.Suspicion;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Groups of members 1 to 4, which begin at time 0; member 1 is the owner. */
class SuspicionReporterTest {
    private static final WorkerId OWNER = new WorkerId(1);
    private static final WorkerId THIRD = new WorkerId(3);
    private static final WorkerId FOURTH = new WorkerId(4);
    private static final FailureDetectorConfig CONFIG = FailureDetectorConfig.confirmed(2, Duration.ofSeconds(2));
    private static final long PROBE = CONFIG.probeNanos();

    private static final class Reporting {
        final MembershipView view;
        final SuspicionTable suspicions;
        final SuspicionReporter reporter;

        Reporting(long self) {
            view = MemberLists.viewOf(new WorkerId(self), 4, CONFIG);
            suspicions = new SuspicionTable(view);
            reporter = new SuspicionReporter(view, suspicions);
        }

        SpawnerTurn tick(long now) {
            SpawnerTurn turn = new SpawnerTurn(now);
            reporter.tick(turn);
            return turn;
        }

        void hint(WorkerId... members) {
            for (WorkerId member : members) {
                view.peer(member).hinted = true;
            }
        }
    }

    private static Suspicion hinted(WorkerId member) {
        return new Suspicion(member, Evidence.HINTED, Long.MAX_VALUE, 0);
    }

    @Test
    void theOwnerReceivesAllSuspicionsOfOneMomentTogetherAndAgainAfterAProbePeriod() {
        Reporting member = new Reporting(2);
        member.hint(THIRD, FOURTH);
        List<Message> report = List.of(new MembershipMessage.Suspicions(List.of(hinted(THIRD), hinted(FOURTH))));
        assertEquals(report, Samples.messagesTo(OWNER, member.tick(0)));
        assertEquals(List.of(), Samples.messagesTo(OWNER, member.tick(PROBE / 2 - 1)));
        assertEquals(report, Samples.messagesTo(OWNER, member.tick(PROBE)));
    }

    @Test
    void aReportSaysHowLateTheReporterRuns() {
        Reporting member = new Reporting(2);
        long delay = Duration.ofSeconds(1).toNanos();
        member.view.schedulingDelay.record(delay, 0);
        member.hint(THIRD);
        assertEquals(
                List.of(new MembershipMessage.Suspicions(
                        List.of(new Suspicion(THIRD, Evidence.HINTED, Long.MAX_VALUE, delay)))),
                Samples.messagesTo(OWNER, member.tick(0)));
    }

    @Test
    void theOwnerAddsItsSuspicionsToItsOwn() {
        Reporting owner = new Reporting(1);
        owner.hint(THIRD);
        assertEquals(List.of(), Samples.sends(owner.tick(0)));
        assertTrue(owner.suspicions.has(THIRD));
        assertFalse(owner.suspicions.has(FOURTH));
    }

    @Test
    void aMemberWhoseHeartbeatIsLateIsProbed() {
        Reporting member = new Reporting(2);
        WorkerId watched = List.of(OWNER, THIRD, FOURTH).stream()
                .filter(id -> member.view.peer(id).duty)
                .findFirst()
                .orElseThrow();
        long overdue = member.view.peer(watched).overdueAt(CONFIG);
        assertEquals(List.of(), Samples.messagesTo(watched, member.tick(overdue - 1)));
        assertEquals(overdue, member.reporter.wakeUp(overdue - 1));
        assertEquals(List.of(new MembershipMessage.Probe(watched)), Samples.messagesTo(watched, member.tick(overdue)));
    }

    @Test
    void anOwnerThatDoesNotAnswerReportsIsSuspected() {
        Reporting member = new Reporting(2);
        member.hint(THIRD);
        for (int period = 0; period < 6; period++) {
            member.tick(period * PROBE);
            assertFalse(member.suspicions.has(OWNER));
        }
        member.tick(6 * PROBE);
        assertTrue(member.suspicions.has(OWNER));
    }

    @Test
    void anOwnerThatAnswersAReportHasAsLongForTheNextOne() {
        Reporting member = new Reporting(2);
        member.hint(THIRD);
        for (int period = 0; period < 9; period++) {
            if (period == 3) {
                member.view.peer(OWNER).received(3 * PROBE - 1);
            }
            member.tick(period * PROBE);
            assertFalse(member.suspicions.has(OWNER));
        }
        member.tick(9 * PROBE);
        assertTrue(member.suspicions.has(OWNER));
    }

    @Test
    void aPauseOfThisProcessIsNotTheOwnersSilence() {
        Reporting member = new Reporting(2);
        member.hint(THIRD);
        member.tick(0);
        member.reporter.shift(3 * PROBE);
        member.tick(6 * PROBE);
        assertFalse(member.suspicions.has(OWNER));
        member.tick(9 * PROBE);
        assertTrue(member.suspicions.has(OWNER));
    }

    @Test
    void aDeclaredMemberIsNeitherProbedNorReported() {
        Reporting member = new Reporting(2);
        for (WorkerId id : List.of(OWNER, THIRD, FOURTH)) {
            member.hint(id);
            member.view.peer(id).declare(new FailureVerdict(id, FailureVerdict.Cause.DEAD, 5));
        }
        assertEquals(List.of(), Samples.sends(member.tick(100 * PROBE)));
        assertEquals(Long.MAX_VALUE, member.reporter.wakeUp(100 * PROBE));
    }
}
