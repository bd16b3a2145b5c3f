// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.Scheme;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.SimulatedProblem;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Checks what blocks record for snapshots: once for each incarnation, what they later commit, and in the synchronous scheme what
 * a sequential run has. It keeps the recorded values and the evaluations for {@link ResultChecker}.
 */
final class SnapshotChecker {
    private static final int SNAPSHOTS_KEPT = 2;

    private record Evaluation(long sid, RecordedBlock own, List<RecordedBlock> used) {}

    private final TimeStepChecker timeSteps;
    private final boolean hasReference;
    private final boolean rollsBack;
    private final SynchronousReference reference;
    private final Consumer<String> violated;
    private final TreeMap<Long, Map<RecordedBlock, double[]>> records = new TreeMap<>();
    private final Set<Evaluation> evaluations = new HashSet<>();
    private final int kept;

    SnapshotChecker(Scenario scenario, SimulatedProblem problem, TimeStepChecker timeSteps, Consumer<String> violated) {
        this.timeSteps = timeSteps;
        this.hasReference = scenario.scheme() == Scheme.SYNCHRONOUS && problem.isSmall();
        this.rollsBack = scenario.rollsBack();
        this.reference = new SynchronousReference(problem, timeSteps);
        this.violated = violated;
        // A job that has a deadline may end with any snapshot.
        this.kept = scenario.deadline().isPresent() ? Integer.MAX_VALUE : SNAPSHOTS_KEPT;
    }

    /** A block has recorded its values after this iteration of a time step. */
    void blockRecorded(long sid, RecordedBlock label, double[] values, int step, long iteration) {
        Map<RecordedBlock, double[]> ofSnapshot = records.computeIfAbsent(sid, s -> new HashMap<>());
        if (ofSnapshot.keySet().stream()
                .anyMatch(known ->
                        known.block() == label.block() && known.incarnation().equals(label.incarnation()))) {
            violated.accept("block " + label.block() + " was recorded twice for snapshot " + sid);
        }
        ofSnapshot.put(label, values.clone());
        while (records.size() > kept) {
            long oldest = records.firstKey();
            records.remove(oldest);
            evaluations.removeIf(evaluation -> evaluation.sid() == oldest);
        }
        // Where blocks cannot go back, the job fails once a daemon is lost: what its replacement records is of no use.
        boolean isOfUse = rollsBack || label.incarnation().counter() == 1;
        if (hasReference
                && isOfUse
                && timeSteps.isComplete(step - 1)
                && !Arrays.equals(values, reference.core(label.block(), step, iteration))) {
            violated.accept("block " + label.block() + " after " + iteration
                    + " synchronous iterations differs from the sequential sweep");
        }
    }

    /** A block has evaluated its record, with these records of its sources. */
    void blockEvaluated(long sid, RecordedBlock own, List<RecordedBlock> used) {
        evaluations.add(new Evaluation(sid, own, used));
    }

    /** A block has committed a time step; these are its values now. */
    void stepCommitted(CommittedStep record, int block, double[] values) {
        Optional<double[]> recorded =
                record.part(block).map(SnapshotMessage.StoredPart::part).flatMap(part -> find(record.sid(), part));
        if (recorded.filter(of -> !Arrays.equals(of, values)).isPresent()) {
            violated.accept(
                    "block " + block + " commits other values for step " + record.step() + " than were recorded");
        }
    }

    /** What was recorded, if the snapshot is one of the latest. */
    Optional<double[]> find(long sid, RecordedBlock part) {
        return Optional.ofNullable(records.getOrDefault(sid, Map.of()).get(part));
    }

    /** Whether a block's record was evaluated with exactly these records of its sources. */
    boolean isEvaluated(long sid, RecordedBlock own, List<RecordedBlock> used) {
        return evaluations.contains(new Evaluation(sid, own, used));
    }
}
