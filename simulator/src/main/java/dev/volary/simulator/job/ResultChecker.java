// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.SimulatedProblem;
import dev.volary.simulator.scenario.StorageModel;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Residual;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Checks results, checkpoints and the outcome of the job. A delivered vector consists of what its blocks recorded and has the
 * residual that is certified for it; a certified job has delivered such a vector within the tolerance.
 */
final class ResultChecker {
    private final Scenario scenario;
    private final Decomposition decomposition;
    private final double tolerance;
    private final SnapshotChecker snapshots;
    private final TimeStepChecker timeSteps;
    private final Consumer<String> violated;

    /** Parts of snapshots: of the newest of which any part was stored, and of all if the job has a deadline. */
    private final TreeMap<Long, Map<RecordedBlock, double[]>> stored = new TreeMap<>();

    private final DeadlineChecker deadlines;

    private Optional<SpawnerAction.AssembleResult> delivered = Optional.empty();
    private double[] vector = {};
    /** Residual of the delivered vector, recomputed. */
    private Residual truth = Residual.ZERO;

    private final Set<Long> withdrawn = new HashSet<>();
    private boolean notCopied;
    private boolean isPublicationGivenUp;
    private Optional<JobOutcome> outcome = Optional.empty();

    ResultChecker(
            Scenario scenario,
            SimulatedProblem problem,
            double tolerance,
            SnapshotChecker snapshots,
            TimeStepChecker timeSteps,
            Consumer<String> violated) {
        this.scenario = scenario;
        this.decomposition = problem.decomposition();
        this.tolerance = tolerance;
        this.snapshots = snapshots;
        this.timeSteps = timeSteps;
        this.violated = violated;
        this.deadlines = new DeadlineChecker(scenario, decomposition.blocks(), violated);
    }

    // ---- reports of workers ----------------------------------------------------------------------------------------

    /** A part of a snapshot is stored. */
    void partStored(long sid, RecordedBlock part, double[] values) {
        if (scenario.deadline().isEmpty()) {
            stored.headMap(sid).clear();
        }
        if (scenario.deadline().isPresent() || stored.tailMap(sid, false).isEmpty()) {
            stored.computeIfAbsent(sid, s -> new HashMap<>()).put(part, values.clone());
        }
    }

    /** What a job that ends at its deadline may end with. */
    DeadlineChecker deadlines() {
        return deadlines;
    }

    /** The leader withdraws its verdict on this snapshot; another one may follow. */
    void verdictWithdrawn(long sid) {
        withdrawn.add(sid);
        deadlines.withdrawn(sid);
    }

    /** No spawner could take a copy of the result. */
    void resultNotCopied() {
        notCopied = true;
    }

    /** The leader has given up bringing the result to the storage. */
    void publicationGivenUp() {
        isPublicationGivenUp = true;
    }

    /** No member of the log is left: a verdict that was not announced is lost with it, and another one may follow. */
    void logLost() {
        if (outcome.isEmpty()) {
            delivered = Optional.empty();
            deadlines.logLost();
        }
    }

    /** The leader has assembled the parts of the result; missing values stay zero. */
    void resultAssembled(SpawnerAction.AssembleResult result) {
        delivered
                .filter(before -> before.sid() != result.sid() && !withdrawn.contains(before.sid()))
                .ifPresent(before ->
                        violated.accept("snapshots " + before.sid() + " and " + result.sid() + " are both the last"));
        delivered = Optional.of(result);
        vector = assemble(result);
        truth = timeSteps.residual(vector);
        if (!isResidual(result.residual(), truth)) {
            violated.accept("snapshot " + result.sid() + " says " + result.residual() + ", the delivered vector has "
                    + truth.norm());
        }
        checkEvaluations(result);
    }

    /** A checkpoint consists of these parts: a whole vector, as it was recorded, with the residual that is certified. */
    void checkpointSaved(CommittedStep record, SimulatedPartRepository parts) {
        double[] whole = new double[(int) decomposition.unknowns().size()];
        for (int block = 0; block < decomposition.blocks(); block++) {
            Optional<double[]> values = record.part(block).flatMap(part -> parts.find(record.sid(), part.part()));
            if (values.isEmpty()) {
                violated.accept("block " + block + " is not durable in checkpoint " + record.sid());
                return;
            }
            putCore(block, values.get(), whole);
        }
        if (record.step() > 0) {
            // The residual of a time step is checked when all blocks have committed it.
            return;
        }
        Residual residual = timeSteps.residual(whole);
        if (!isResidual(record.residual(), residual)) {
            violated.accept("checkpoint " + record.sid() + " says " + record.residual() + ", its vector has "
                    + residual.norm());
        }
    }

    /** The leader declares the end of the job. */
    void jobEnded(JobOutcome end, SimulatedPartRepository parts, SimulatedStorage storage) {
        if (outcome.isPresent()) {
            // A leader that dies with its verdict logged may have ended the job already: the next one ends it likewise.
            if (!outcome.get().equals(end)) {
                violated.accept("ended twice: " + outcome.get() + " and " + end);
            }
            return;
        }
        outcome = Optional.of(end);
        switch (end) {
            case JobOutcome.Certified certified -> {
                checkCertified(certified, parts);
                checkPublished(certified.sid(), storage);
            }
            case JobOutcome.NotConverged notConverged -> {
                checkNotConverged(notConverged);
                deadlines.jobEnded(notConverged, stored, parts);
            }
            case JobOutcome.Failed failed -> checkFailed(failed);
        }
    }

    // ---- invariants of a vector ------------------------------------------------------------------------------------

    private double[] assemble(SpawnerAction.AssembleResult result) {
        double[] assembled = new double[(int) decomposition.unknowns().size()];
        Set<Integer> blocks = new TreeSet<>();
        for (SnapshotMessage.StoredPart part : result.parts()) {
            int block = part.part().block();
            double[] values = stored.getOrDefault(result.sid(), Map.of()).get(part.part());
            Optional<double[]> recorded = snapshots.find(result.sid(), part.part());
            if (!blocks.add(block)) {
                violated.accept("block " + block + " is delivered twice");
            }
            if (values == null || recorded.isEmpty()) {
                violated.accept("block " + block + " is delivered without having been stored");
                continue;
            }
            if (!Arrays.equals(recorded.get(), values)) {
                violated.accept("block " + block + " is delivered with other values than recorded");
            }
            putCore(block, values, assembled);
        }
        if (blocks.size() != decomposition.blocks()) {
            violated.accept("only blocks " + blocks + " are delivered");
        }
        return assembled;
    }

    private void putCore(int block, double[] values, double[] whole) {
        long[] where = decomposition.parts().get(block).core().indices(decomposition.unknowns());
        for (int i = 0; i < where.length; i++) {
            whole[(int) where[i]] = values[i];
        }
    }

    /** Whether a certified residual is the true one, up to rounding. */
    private static boolean isResidual(double certified, Residual truth) {
        return Math.abs(certified - truth.norm()) <= 2 * truth.roundoff();
    }

    /** Every edge was evaluated with what its source recorded. */
    private void checkEvaluations(SpawnerAction.AssembleResult result) {
        Map<Integer, RecordedBlock> parts = new HashMap<>();
        result.parts().forEach(part -> parts.put(part.part().block(), part.part()));
        for (int block = 0; block < decomposition.blocks(); block++) {
            RecordedBlock own = parts.get(block);
            List<RecordedBlock> sources = new ArrayList<>();
            decomposition.incoming(block).stream().map(Edge::from).sorted().forEach(source -> {
                if (parts.containsKey(source)) {
                    sources.add(parts.get(source));
                }
            });
            if (own == null || !snapshots.isEvaluated(result.sid(), own, sources)) {
                violated.accept("block " + block + " was never evaluated with what its sources recorded");
            }
        }
    }

    // ---- invariants of the outcome ---------------------------------------------------------------------------------

    private void checkCertified(JobOutcome.Certified certified, SimulatedPartRepository parts) {
        if (scenario.spools() > 0) {
            checkHolders(certified.sid(), parts);
        }
        if (delivered
                .filter(result -> result.sid() == certified.sid() && result.residual() == certified.residual())
                .isEmpty()) {
            violated.accept("certified without the delivered vector: " + certified);
        }
        if (!(truth.norm() <= tolerance)) {
            violated.accept("certified " + certified.residual() + ", but the delivered vector has " + truth.norm()
                    + " above the tolerance " + tolerance);
        }
        timeSteps.jobCertified(vector);
    }

    /** A result that the loss of one spawner would destroy must not be announced, unless no spawner could take a copy. */
    private void checkHolders(long sid, SimulatedPartRepository parts) {
        int wanted = notCopied ? 1 : 2;
        if (parts.resultHoldersEver(sid) < wanted || parts.resultHolders(sid) == 0) {
            violated.accept("the job ends with its result in " + parts.resultHolders(sid) + " spawners");
        }
    }

    /** A job that names a storage ends when its result is there, unless the storage takes nothing. */
    private void checkPublished(long sid, SimulatedStorage storage) {
        if (scenario.storage() != StorageModel.NONE && !isPublicationGivenUp && !storage.has(sid)) {
            violated.accept("the job ends before its result is in the storage that it names");
        }
        if (isPublicationGivenUp && scenario.storage() != StorageModel.UNAVAILABLE) {
            violated.accept("the leader gives up on a storage that takes the result");
        }
    }

    private void checkNotConverged(JobOutcome.NotConverged notConverged) {
        if (scenario.deadline().isEmpty()) {
            violated.accept("not converged without a deadline");
        }
        if (notConverged.hasResult()
                && delivered
                        .filter(result ->
                                result.sid() == notConverged.sid() && result.residual() == notConverged.residual())
                        .isEmpty()) {
            violated.accept("not converged with a residual, but nothing was delivered");
        }
    }

    private void checkFailed(JobOutcome.Failed failed) {
        if (failed.reason().startsWith("StateLost")) {
            violated.accept("the result of a committed step is lost, though the sink was not: " + failed.reason());
        }
        if (failed.reason().isBlank()) {
            violated.accept("failed without a reason");
        }
    }

    // ---- for the report --------------------------------------------------------------------------------------------

    Optional<JobOutcome> outcome() {
        return outcome;
    }

    /** The recomputed residual of the delivered vector; not a number if there is none. */
    double residual() {
        return delivered.isPresent() ? truth.norm() : Double.NaN;
    }

    /** The hash of the delivered vector; 0 if there is none. */
    long vectorHash() {
        return delivered.isPresent() ? SimulatedBlock.hash(vector) : 0;
    }
}
