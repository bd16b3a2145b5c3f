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
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.scenario.FaultPlan;
import dev.volary.simulator.scenario.NetworkModel;
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
    private final RoundChecker rounds;
    private final TimeStepChecker timeSteps;
    private final SnapshotChecker snapshots;
    private final ConvergenceClaimChecker claims;
    private final ResultChecker results;

    InvariantChecker(Scenario scenario, SimulatedProblem problem, TimingModel timing) {
        double tolerance = problem.absolute(scenario.tolerance());
        this.scenario = scenario;
        this.memory =
                new MemoryChecker(scenario, problem.decomposition().edges().size(), this::violated);
        this.directory = new DirectoryChecker(this::violated);
        this.incarnations = new IncarnationChecker(scenario, timing.fencingGrace(), this::violated);
        this.backups = new BackupChecker(scenario, problem.decomposition().blocks(), this::violated);
        boolean losesNoHalo = scenario.data().equals(NetworkModel.NONE)
                && scenario.faultPlan().equals(FaultPlan.NONE);
        this.rounds = new RoundChecker(this::violated, losesNoHalo);
        this.timeSteps = new TimeStepChecker(problem, tolerance, scenario.outputEvery(), this::violated);
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
    void workerDied(WorkerId worker) {
        incarnations.workerDied(worker);
    }

    /** No member of the replicated log is left. */
    void logLost() {
        results.logLost();
    }

    /** A worker holds this number of entries in all its collections. */
    void memoryUsed(Member member, int entries) {
        memory.memoryUsed(member, entries);
    }

    /** A control link holds messages that are not acknowledged, and messages that arrived before earlier ones. */
    void linkUsed(Member member, int outstanding, int early, int capacity) {
        memory.linkUsed(member, outstanding, early, capacity);
    }

    /** A worker sends a control message. */
    void messageSent(Member from, WorkerId to, Message message) {
        switch (message) {
            case BlockMessage.Assign assign -> directory.blocksAssigned(to, assign);
            case BlockMessage.DirectoryUpdate update -> directory.updateSent(from, to, update);
            case RegistrationMessage.Register(Member daemon, Optional<WorkerId> owner)
            when owner.isPresent() && !owner.get().equals(to) -> directory.daemonLeft(daemon.id(), to);
            case LogMessage.Append append -> append.records().forEach(timeSteps::entryLogged);
            case DetectionMessage.ConvergenceClaim claim -> claims.convergenceClaimed();
            default -> {
                // No invariant is about it.
            }
        }
    }

    /** A full control link refused a message. */
    void messageRefused() {
        counts.refused++;
    }

    /** A message of a stale process was refused. */
    void staleMessageRefused() {
        counts.fenced++;
    }

    // ---- blocks and their backups ----------------------------------------------------------------------------------

    /** A block has completed this number of iterations, in all. */
    void blockIterated(int block, Incarnation incarnation, long completed, Member daemon, long now) {
        counts.iterations++;
        backups.blockIterated(block, completed);
        incarnations.blockIterated(block, incarnation, daemon, now);
    }

    /** Checks what blocks that work in rounds report. */
    RoundChecker rounds() {
        return rounds;
    }

    /** A block takes a halo to read. */
    void haloRead(int block, int step, int from, BlockVersion halo) {
        timeSteps.haloRead(block, step, from, halo);
    }

    /** A block stops for good, because its daemon leaves. */
    void blockStopped(int block, double[] values) {
        backups.blockStopped(block, values);
    }

    /** A holder has taken a backup. */
    void backupTaken(int block, BlockVersion key, Optional<BlockVersion> newestBefore) {
        backups.backupTaken(block, key, newestBefore);
    }

    /**
     * A search for the newest backup of a block is over.
     *
     * @param left copies that there are now
     */
    void backupSearched(
            DaemonAction.RestoreBlock restore, Optional<BlockVersion> found, Collection<BlockVersion> left) {
        backups.backupSearched(restore, found, left);
    }

    /**
     * A block that started without its backup has not been offered it for a while.
     *
     * @param left copies that there are now
     */
    void backupMissed(DaemonAction.RestoreBlock restore, Collection<BlockVersion> left) {
        backups.backupMissed(restore, left);
    }

    /** A block has the values of a backup again. */
    void blockRestored(int block, Incarnation of, double[] values) {
        backups.blockRestored(block, of, values);
    }

    /** A block is open again, from a backup of this iteration if there was one. */
    void blockReopened(int block, OptionalLong from) {
        backups.blockReopened(block, from);
    }

    /** A block's new owner dies, with all holders of its backups but the former owner. */
    void movedBlockLost(int block) {
        backups.movedBlockLost(block);
    }

    // ---- snapshots, time steps and results -------------------------------------------------------------------------

    /** A block has recorded its values after this iteration of a time step. */
    void blockRecorded(long sid, RecordedBlock label, double[] values, int step, long iteration) {
        snapshots.blockRecorded(sid, label, values, step, iteration);
    }

    /** A block has evaluated its record, with these records of its sources. */
    void blockEvaluated(long sid, RecordedBlock own, List<RecordedBlock> used) {
        snapshots.blockEvaluated(sid, own, used);
    }

    /** A part of a snapshot is stored. */
    void partStored(long sid, RecordedBlock part, double[] values) {
        results.partStored(sid, part, values);
    }

    /** A block has committed a time step; these are its values now. */
    void stepCommitted(CommittedStep record, int block, double[] values) {
        snapshots.stepCommitted(record, block, values);
        timeSteps.stepCommitted(record, block, values);
    }

    /** A checkpoint is to be written to the volume. */
    void checkpointSaved(CommittedStep record, SimulatedPartRepository parts) {
        results.checkpointSaved(record, parts);
    }

    /** A leader has put the vector of an output step together. */
    void outputStepAssembled(CommittedStep record, SimulatedPartRepository parts) {
        timeSteps.outputStepAssembled(record, parts);
    }

    /** The leader has assembled the parts of the result. */
    void resultAssembled(SpawnerAction.AssembleResult result) {
        timeSteps.resultAssembled(result.step());
        results.resultAssembled(result);
    }

    /** A spawner has emitted an event of the job. */
    void eventEmitted(JobEvent event, SimulatedBackups holders) {
        counts.eventEmitted(event);
        switch (event) {
            case JobEvent.SnapshotClosed closed -> {
                claims.snapshotClosed(closed);
                results.deadlines().snapshotClosed(closed);
            }
            case JobEvent.AnswerKept kept -> results.deadlines().answerKept(kept);
            case JobEvent.StepCommitted committed -> timeSteps.commitAnnounced(committed);
            case JobEvent.VerdictWithdrawn verdict -> results.verdictWithdrawn(verdict.sid());
            case JobEvent.ResultNotCopied alone -> results.resultNotCopied();
            case JobEvent.PublicationFailed failed when failed.isFinal() -> results.publicationGivenUp();
            case JobEvent.RolledBack rollback -> backups.rolledBack(rollback, holders);
            default -> {
                // No invariant is about it.
            }
        }
    }

    /** The leader ends the job. */
    void jobEnded(JobOutcome end, SimulatedPartRepository parts, SimulatedStorage storage) {
        if (!hasEnded() && end instanceof JobOutcome.Certified) {
            claims.jobCertified();
        }
        results.jobEnded(end, parts, storage);
    }

    // ---- the run as a whole ----------------------------------------------------------------------------------------

    public boolean foundAnything() {
        return !violations.isEmpty();
    }

    public boolean hasEnded() {
        return results.outcome().isPresent();
    }

    /** The job was given up, which it must never make necessary. */
    public void jobGivenUp() {
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
