// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.simulator.scenario.InjectedFault;
import dev.volary.simulator.scenario.Scenario;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Checks what a job ends with at its deadline: no answer that was kept, and not the newest snapshot either, has a smaller residual
 * while all of its parts still exist.
 */
final class DeadlineChecker {
    private final Scenario scenario;
    private final int blocks;
    private final Consumer<String> violated;
    /** Residuals of the snapshots that the job may end with. */
    private final TreeMap<Long, Double> answers = new TreeMap<>();

    private Optional<JobEvent.SnapshotClosed> newest = Optional.empty();

    DeadlineChecker(Scenario scenario, int blocks, Consumer<String> violated) {
        this.scenario = scenario;
        this.blocks = blocks;
        this.violated = violated;
    }

    void snapshotClosed(JobEvent.SnapshotClosed closed) {
        newest = Optional.of(closed);
    }

    /** The log names this answer. */
    void answerKept(JobEvent.AnswerKept kept) {
        answers.put(kept.sid(), kept.residual());
    }

    /** A leader has not found all parts of a snapshot. */
    void withdrawn(long sid) {
        answers.remove(sid);
        newest = newest.filter(closed -> closed.sid() != sid);
    }

    /** No leader knows the answers any more. */
    void logLost() {
        answers.clear();
        newest = Optional.empty();
    }

    /** @param stored parts of each snapshot */
    void jobEnded(
            JobOutcome.NotConverged end,
            Map<Long, Map<RecordedBlock, double[]>> stored,
            SimulatedPartRepository repository) {
        if (!end.hasResult() && scenario.defect() == InjectedFault.NONE) {
            violated.accept("the job ends at its deadline without a result");
        }
        newest.ifPresent(closed -> answers.put(closed.sid(), closed.residual()));
        answers.forEach((sid, residual) -> {
            Set<Integer> whole = stored.getOrDefault(sid, Map.of()).keySet().stream()
                    .filter(part -> repository.find(sid, part).isPresent())
                    .map(RecordedBlock::block)
                    .collect(Collectors.toSet());
            if (residual < end.residual() && whole.size() == blocks) {
                violated.accept("the job ends with snapshot " + end.sid() + " of residual " + end.residual()
                        + ", though snapshot " + sid + " has " + residual);
            }
        });
    }
}
