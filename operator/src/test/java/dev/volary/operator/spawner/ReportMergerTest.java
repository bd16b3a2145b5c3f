// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.spawner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.mesh.v1.Certified;
import dev.volary.mesh.v1.Member;
import dev.volary.mesh.v1.Outcome;
import dev.volary.mesh.v1.Phase;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.WorkerStatus;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReportMergerTest {
    private static final StatusReply LEAD = reply(1, 1)
            .setPhase(Phase.PHASE_RUNNING)
            .setSid(4)
            .setResidual(0.5)
            .setIterations(100)
            .setBlocks(3)
            .setCopiesInForce(2)
            .addWorkers(worker("a-d-0", false))
            .addWorkers(worker("a-d-2", true))
            .build();
    private static final StatusReply OTHER = reply(2, 1)
            .setPhase(Phase.PHASE_FORMING)
            .setResidual(9)
            .setIterations(40)
            .setParkedBlocks(1)
            .setCopiesInForce(1)
            .addWorkers(worker("a-d-1", false))
            .addWorkers(worker("a-d-0", true))
            .build();

    @Test
    void theLeaderReportsTheJobAndEachSpawnerItsGroup() {
        JobReport report = ReportMerger.of(Map.of("a-s-0", LEAD, "a-s-1", OTHER));
        assertEquals("a-s-0", report.leader());
        assertEquals(JobReport.Stage.RUNNING, report.stage());
        assertEquals(0.5, report.residual());
        assertEquals(100, report.iterations());
        assertEquals(1, report.parked());
        assertEquals(1, report.backups());
        assertEquals(Set.of("a-d-0", "a-d-1"), report.busy());
        assertEquals(Set.of("a-d-2"), report.standby());
        assertEquals(Set.of("a-s-0", "a-s-1"), report.spawners());
    }

    @Test
    void withoutALeaderThereIsNoResidual() {
        JobReport report = ReportMerger.of(Map.of("a-s-1", OTHER));
        assertEquals("", report.leader());
        assertEquals(Double.POSITIVE_INFINITY, report.residual());
    }

    @Test
    void ofTwoLeadersTheOneWithTheHigherTermCounts() {
        StatusReply newer = reply(2, 2).setTerm(7).setIterations(5).build();
        assertEquals(
                "a-s-1", ReportMerger.of(Map.of("a-s-0", LEAD, "a-s-1", newer)).leader());
    }

    @Test
    void anOutcomeIsTakenFromAnySpawnerThatReportsIt() {
        StatusReply ended = OTHER.toBuilder()
                .setOutcome(
                        Outcome.newBuilder().setCertified(Certified.newBuilder().setResidual(1e-7)))
                .build();
        assertEquals(
                Optional.of(new JobReport.End.Certified(1e-7)),
                ReportMerger.of(Map.of("a-s-1", ended)).outcome());
    }

    @Test
    void aSpawnerThatKeepsACopyOfAResultMayStillFindThatItIsItsOwn() {
        StatusReply holder = OTHER.toBuilder()
                .setPhase(Phase.PHASE_FINISHED)
                .setResultReady(true)
                .build();
        StatusReply pending = OTHER.toBuilder()
                .setPhase(Phase.PHASE_FINISHED)
                .setResultPending(true)
                .build();
        StatusReply none = OTHER.toBuilder().setPhase(Phase.PHASE_FINISHED).build();
        StatusReply starting = OTHER.toBuilder().setPhase(Phase.PHASE_FORMING).build();
        assertEquals(
                new JobReport.Results(false, Set.of("a-s-0"), Set.of("a-s-2", "a-s-3")),
                ReportMerger.of(Map.of("a-s-0", holder, "a-s-1", pending, "a-s-2", none, "a-s-3", starting))
                        .results());
    }

    private static StatusReply.Builder reply(long self, long leader) {
        return StatusReply.newBuilder()
                .setSelf(Member.newBuilder().setId(self))
                .setLeader(leader)
                .setTerm(3);
    }

    private static WorkerStatus worker(String pod, boolean standby) {
        return WorkerStatus.newBuilder().setPod(pod).setStandby(standby).build();
    }
}
