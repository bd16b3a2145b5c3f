// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.SimulatedProblem;
import dev.volary.simulator.scenario.TimingModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Checks the invariants of a run. Workers and their network report to it what they do; it passes each report to the checkers of
 * the invariants that are about it, and collects the violations. The checkers see the state of all workers and share no code with
 * the protocols.
 */
public final class InvariantChecker {
    private static final int MOST_VIOLATIONS = 10;

    private final Scenario scenario;
    private final List<String> violations = new ArrayList<>();
    private final EventCounts counts = new EventCounts();

    private final MemoryChecker memory;
    private final DirectoryChecker directory;
    private final IncarnationChecker incarnations;
    private final BackupChecker backups;
    private final TimeStepChecker timeSteps;
    private final SnapshotChecker snapshots;
    private final ConvergenceClaimChecker claims;
    private final ResultChecker results;

    InvariantChecker(Scenario scenario, SimulatedProblem problem, TimingModel timing) {
        double tolerance = scenario.tolerance() * problem.model().scale();
        this.scenario = scenario;
        this.memory =
                new MemoryChecker(scenario, problem.decomposition().edges().size(), this::violated);
        this.directory = new DirectoryChecker(this::violated);
        this.incarnations = new IncarnationChecker(scenario, timing.fencingGrace(), this::violated);
        this.backups = new BackupChecker(scenario, problem.decomposition().blocks(), this::violated);
        this.timeSteps = new TimeStepChecker(problem, tolerance, this::violated);
        this.snapshots = new SnapshotChecker(scenario, problem, timeSteps, this::violated);
        this.claims = new ConvergenceClaimChecker(scenario.tree(), tolerance, this::violated);
        this.results = new ResultChecker(scenario, problem, tolerance, snapshots, timeSteps, this::violated);
    }

    /** Something happened that must not happen. */
    public void violated(String what) {
        if (violations.size() < MOST_VIOLATIONS) {
            violations.add(what);
        }
    }

    // ---- processes and control messages ----------------------------------------------------------------------------

    /** Until then some messages do not arrive, or not soon. */
    void disturbed(long until) {
        incarnations.disturbed(until);
    }

    /** A worker process has ended. */
    void died(WorkerId worker) {
        incarnations.died(worker);
    }

    /** No member of the replicated log is left. */
    void logLost() {
        results.logLost();
    }

    /** A worker holds this number of entries in all its collections. */
    void memory(Member member, int entries) {
        memory.memory(member, entries);
    }

    /** A control link holds messages that are not acknowledged, and messages that arrived before earlier ones. */
    void link(Member member, int outstanding, int early, int capacity) {
        memory.link(member, outstanding, early, capacity);
    }

    /** A worker sends a control message. */
    void sent(Member from, WorkerId to, Message message) {
        switch (message) {
            case BlockMessage.Assign assign -> directory.assigned(to, assign);
            case BlockMessage.DirectoryUpdate update -> directory.updateSent(from, to, update);
            case LogMessage.Append append -> append.records().forEach(timeSteps::logged);
            case DetectionMessage.ConvergenceClaim claim -> claims.claimed();
            default -> {
                // No invariant is about it.
            }
        }
    }

    /** A full control link refused a message. */
    void refused() {
        counts.refused++;
    }

    /** A message of a stale process was refused. */
    void fencedOne() {
        counts.fenced++;
    }

    // ---- blocks and their backups ----------------------------------------------------------------------------------

    /** A block has completed this number of iterations, in all. */
    void iterated(int block, Incarnation incarnation, long completed, Member daemon, long now) {
        counts.iterations++;
        backups.iterated(block, completed);
        incarnations.iterated(block, incarnation, daemon, now);
    }

    /** A block takes a halo to read. */
    void reads(int block, int step, int from, BlockVersion halo) {
        timeSteps.reads(block, step, from, halo);
    }

    /** A block stops for good, because its daemon leaves. */
    void rests(int block, double[] values) {
        backups.rests(block, values);
    }

    /** A holder has taken a backup. */
    void kept(int block, BlockVersion key, Optional<BlockVersion> newestBefore) {
        backups.kept(block, key, newestBefore);
    }

    /**
     * A search for the newest backup of a block is over.
     *
     * @param left copies that there are now
     */
    void searched(DaemonAction.RestoreBlock restore, Optional<BlockVersion> found, Collection<BlockVersion> left) {
        backups.searched(restore, found, left);
    }

    /** A block has the values of a backup again. */
    void restored(int block, Incarnation of, double[] values) {
        backups.restored(block, of, values);
    }

    /** A block is open again, from a backup of this iteration if there was one. */
    void reopened(int block, OptionalLong from) {
        backups.reopened(block, from);
    }

    // ---- snapshots, time steps and results -------------------------------------------------------------------------

    /** A block has recorded its values after this iteration of a time step. */
    void recorded(long sid, RecordedBlock label, double[] values, int step, long iteration) {
        snapshots.recorded(sid, label, values, step, iteration);
    }

    /** A block has evaluated its record, with these records of its sources. */
    void evaluated(long sid, RecordedBlock own, List<RecordedBlock> used) {
        snapshots.evaluated(sid, own, used);
    }

    /** A part of a snapshot is stored. */
    void stored(long sid, RecordedBlock part, double[] values) {
        results.stored(sid, part, values);
    }

    /** A block has committed a time step; these are its values now. */
    void committed(CommittedStep record, int block, double[] values) {
        snapshots.committed(record, block, values);
        timeSteps.committed(record, block, values);
    }

    /** A checkpoint is to be written to the volume. */
    void checkpoint(CommittedStep record, SimulatedPartRepository parts) {
        results.checkpoint(record, parts);
    }

    /** The leader has assembled the parts of the result. */
    void assembled(SpawnerAction.AssembleResult result) {
        results.assembled(result);
    }

    /** A spawner has emitted an event of the job. */
    void emitted(JobEvent event, SimulatedBackups holders) {
        counts.emitted(event);
        switch (event) {
            case JobEvent.SnapshotClosed closed -> claims.snapshotClosed(closed);
            case JobEvent.StepCommitted committed -> timeSteps.announced(committed);
            case JobEvent.VerdictWithdrawn verdict -> results.withdrawn(verdict.sid());
            case JobEvent.ResultNotCopied alone -> results.notCopied();
            case JobEvent.PublicationFailed failed when failed.isFinal() -> results.notPublished();
            case JobEvent.RolledBack rollback -> backups.rolledBack(rollback, holders);
            default -> {
                // No invariant is about it.
            }
        }
    }

    /** The leader ends the job. */
    void finished(JobOutcome end, SimulatedPartRepository parts, SimulatedStorage storage) {
        if (!ended() && end instanceof JobOutcome.Certified) {
            claims.certified();
        }
        results.finished(end, parts, storage);
    }

    // ---- the run as a whole ----------------------------------------------------------------------------------------

    public boolean foundAnything() {
        return !violations.isEmpty();
    }

    public boolean ended() {
        return results.outcome().isPresent();
    }

    /** The job was given up, which it must never make necessary. */
    public void didNotEnd() {
        if (violations.isEmpty()) {
            violated("the job did not end");
        }
    }

    /** This time, or the end of the last disturbance if that is later. */
    public long calmAfter(long time) {
        return incarnations.calmAfter(time);
    }

    public SimulationReport report(long seed, long virtualNanos, long events) {
        return new SimulationReport(
                scenario.name(),
                seed,
                results.outcome(),
                violations,
                results.residual(),
                results.vectorHash(),
                virtualNanos,
                counts.snapshots,
                claims.refusals(),
                counts.iterations,
                counts.stalls,
                counts.fenced,
                counts.refused,
                counts.lostDaemons,
                counts.reassignedBlocks,
                incarnations.mostBlocksOfOneDaemon(),
                counts.leaders,
                counts.withdrawals,
                events);
    }
}
