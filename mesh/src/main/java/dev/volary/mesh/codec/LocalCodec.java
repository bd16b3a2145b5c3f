// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import static dev.volary.mesh.codec.Shapes.each;

import dev.volary.mesh.v1.LossCause;
import dev.volary.mesh.v1.SchemeKind;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.Scheme;
import dev.volary.protocol.model.WorkerId;
import java.util.Optional;

/**
 * What parent and children say to each other, to and from protobuf. On the pipe each message is written by
 * {@code writeDelimitedTo} and read by {@code parseDelimitedFrom}. Reading throws {@link IllegalArgumentException} if a
 * message is incomplete.
 */
public final class LocalCodec {
    private LocalCodec() {}

    /** To protobuf. */
    public static dev.volary.mesh.v1.ArbiterRecord write(LeaderElectionRecord record) {
        var builder = dev.volary.mesh.v1.ArbiterRecord.newBuilder()
                .setTerm(record.term())
                .addAllLogMembers(each(record.logMembers(), WorkerId::value));
        record.leader().ifPresent(leader -> builder.setLeader(leader.value()));
        return builder.build();
    }

    /** From protobuf. */
    public static LeaderElectionRecord read(dev.volary.mesh.v1.ArbiterRecord record) {
        return new LeaderElectionRecord(
                record.getLeader() == 0 ? Optional.empty() : Optional.of(new WorkerId(record.getLeader())),
                record.getTerm(),
                each(record.getLogMembersList(), WorkerId::new));
    }

    /** To protobuf. */
    public static SchemeKind write(Scheme scheme) {
        return switch (scheme) {
            case ASYNCHRONOUS -> SchemeKind.SCHEME_ASYNCHRONOUS;
            case SYNCHRONOUS -> SchemeKind.SCHEME_SYNCHRONOUS;
        };
    }

    /** From protobuf. */
    public static Scheme read(SchemeKind scheme) {
        return switch (scheme) {
            case SCHEME_ASYNCHRONOUS -> Scheme.ASYNCHRONOUS;
            case SCHEME_SYNCHRONOUS -> Scheme.SYNCHRONOUS;
            case SCHEME_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalArgumentException(
                        "scheme is " + scheme + ", must be SCHEME_ASYNCHRONOUS or SCHEME_SYNCHRONOUS");
        };
    }

    /** To protobuf. */
    public static dev.volary.mesh.v1.DaemonReport write(ProgressMessage.DaemonReport report) {
        return Shapes.write(report);
    }

    /** From protobuf. */
    public static ProgressMessage.DaemonReport read(dev.volary.mesh.v1.DaemonReport report) {
        return Shapes.read(report);
    }

    private static LossCause write(FailureVerdict.Cause cause) {
        return switch (cause) {
            case DEAD -> LossCause.LOSS_DEAD;
            case STUCK -> LossCause.LOSS_STUCK;
            case LEFT -> LossCause.LOSS_LEFT;
        };
    }

    private static FailureVerdict.Cause read(LossCause cause) {
        return switch (cause) {
            case LOSS_DEAD -> FailureVerdict.Cause.DEAD;
            case LOSS_STUCK -> FailureVerdict.Cause.STUCK;
            case LOSS_LEFT -> FailureVerdict.Cause.LEFT;
            case LOSS_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalArgumentException(
                        "cause is " + cause + ", must be LOSS_DEAD, LOSS_STUCK or LOSS_LEFT");
        };
    }

    /** To protobuf. */
    public static dev.volary.mesh.v1.JobEvent write(JobEvent event) {
        var builder = dev.volary.mesh.v1.JobEvent.newBuilder();
        switch (event) {
            case JobEvent.LeaderElected e ->
                builder.getLeaderElectedBuilder().setLeader(e.leader().value()).setTerm(e.term());
            case JobEvent.Planned e ->
                builder.getPlannedBuilder()
                        .setBlocks(e.blocks())
                        .setGroups(e.groups())
                        .setDaemons(e.daemons());
            case JobEvent.AllIterating() -> builder.getAllIteratingBuilder();
            case JobEvent.Progress e -> builder.getProgressBuilder().addAllDaemons(each(e.daemons(), Shapes::write));
            case JobEvent.SnapshotClosed e ->
                builder.getSnapshotClosedBuilder()
                        .setSid(e.sid())
                        .setResidual(e.residual())
                        .setSumOfSquares(e.sumOfSquares())
                        .setIterations(e.iterations())
                        .setLatencyNanos(e.latencyNanos());
            case JobEvent.DaemonLost e ->
                builder.getDaemonLostBuilder()
                        .setDaemon(e.daemon().value())
                        .setCause(write(e.cause()))
                        .setSilentNanos(e.silentNanos())
                        .addAllBlocks(e.blocks());
            case JobEvent.DaemonLeaving e ->
                builder.getDaemonLeavesBuilder().setDaemon(e.daemon().value()).addAllBlocks(e.blocks());
            case JobEvent.BlocksReassigned e ->
                builder.getBlocksReassignedBuilder()
                        .setDaemon(e.daemon().value())
                        .addAllBlocks(e.blocks());
            case JobEvent.GroupTakenOver e ->
                builder.getGroupTakenOverBuilder()
                        .setSpawner(e.spawner().value())
                        .setN(e.n())
                        .addAllBlocks(e.blocks());
            case JobEvent.BlocksParked e -> builder.getBlocksParkedBuilder().addAllBlocks(e.blocks());
            case JobEvent.RolledBack e ->
                builder.getRolledBackBuilder().setEpoch(e.epoch()).setIteration(e.iteration());
            case JobEvent.Degraded e ->
                builder.getDegradedBuilder().setCopies(e.copies()).setWanted(e.wanted());
            case JobEvent.StepCommitted e ->
                builder.getStepCommittedBuilder()
                        .setStep(e.step())
                        .setSteps(e.steps())
                        .setSid(e.sid())
                        .setResidual(e.residual());
            case JobEvent.CheckpointSaved e ->
                builder.getCheckpointKeptBuilder()
                        .setSid(e.sid())
                        .setStep(e.step())
                        .setResidual(e.residual());
            case JobEvent.CheckpointFailed e ->
                builder.getCheckpointBrokenBuilder().setSid(e.sid()).setReason(e.reason());
            case JobEvent.AnswerKept e ->
                builder.getAnswerKeptBuilder()
                        .setSid(e.sid())
                        .setResidual(e.residual())
                        .setIterations(e.iterations());
            case JobEvent.VerdictWithdrawn e ->
                builder.getVerdictWithdrawnBuilder().setSid(e.sid()).setReason(e.reason());
            case JobEvent.ResultCopied e -> builder.getResultCopiedBuilder().setTo(e.to().value());
            case JobEvent.ResultNotCopied e ->
                builder.getResultNotCopiedBuilder().setReason(e.reason());
            case JobEvent.ResultPublished e ->
                builder.getResultPublishedBuilder().setLocation(e.location());
            case JobEvent.PublicationFailed e ->
                builder.getPublicationFailedBuilder().setReason(e.reason()).setFinal(e.isFinal());
            case JobEvent.LocallyStalled e ->
                builder.getLocallyStalledBuilder()
                        .setLargestHint(e.largestHint())
                        .setResidual(e.residual());
        }
        return builder.build();
    }

    /** From protobuf. */
    public static JobEvent read(dev.volary.mesh.v1.JobEvent event) {
        return switch (event.getEventCase()) {
            case LEADER_ELECTED -> {
                var e = event.getLeaderElected();
                yield new JobEvent.LeaderElected(new WorkerId(e.getLeader()), e.getTerm());
            }
            case PLANNED -> {
                var e = event.getPlanned();
                yield new JobEvent.Planned(e.getBlocks(), e.getGroups(), e.getDaemons());
            }
            case ALL_ITERATING -> new JobEvent.AllIterating();
            case PROGRESS -> new JobEvent.Progress(each(event.getProgress().getDaemonsList(), Shapes::read));
            case SNAPSHOT_CLOSED -> {
                var e = event.getSnapshotClosed();
                yield new JobEvent.SnapshotClosed(
                        e.getSid(), e.getResidual(), e.getSumOfSquares(), e.getIterations(), e.getLatencyNanos());
            }
            case DAEMON_LOST -> {
                var e = event.getDaemonLost();
                yield new JobEvent.DaemonLost(
                        new WorkerId(e.getDaemon()), read(e.getCause()), e.getSilentNanos(), e.getBlocksList());
            }
            case DAEMON_LEAVES -> {
                var e = event.getDaemonLeaves();
                yield new JobEvent.DaemonLeaving(new WorkerId(e.getDaemon()), e.getBlocksList());
            }
            case BLOCKS_REASSIGNED -> {
                var e = event.getBlocksReassigned();
                yield new JobEvent.BlocksReassigned(new WorkerId(e.getDaemon()), e.getBlocksList());
            }
            case GROUP_TAKEN_OVER -> {
                var e = event.getGroupTakenOver();
                yield new JobEvent.GroupTakenOver(new WorkerId(e.getSpawner()), e.getN(), e.getBlocksList());
            }
            case ROLLED_BACK ->
                new JobEvent.RolledBack(
                        event.getRolledBack().getEpoch(), event.getRolledBack().getIteration());
            case BLOCKS_PARKED ->
                new JobEvent.BlocksParked(event.getBlocksParked().getBlocksList());
            case DEGRADED ->
                new JobEvent.Degraded(
                        event.getDegraded().getCopies(), event.getDegraded().getWanted());
            case STEP_COMMITTED -> {
                var e = event.getStepCommitted();
                yield new JobEvent.StepCommitted(e.getStep(), e.getSteps(), e.getSid(), e.getResidual());
            }
            case CHECKPOINT_KEPT -> {
                var e = event.getCheckpointKept();
                yield new JobEvent.CheckpointSaved(e.getSid(), e.getStep(), e.getResidual());
            }
            case CHECKPOINT_BROKEN -> {
                var e = event.getCheckpointBroken();
                yield new JobEvent.CheckpointFailed(e.getSid(), e.getReason());
            }
            case ANSWER_KEPT -> {
                var e = event.getAnswerKept();
                yield new JobEvent.AnswerKept(e.getSid(), e.getResidual(), e.getIterations());
            }
            case VERDICT_WITHDRAWN -> {
                var e = event.getVerdictWithdrawn();
                yield new JobEvent.VerdictWithdrawn(e.getSid(), e.getReason());
            }
            case RESULT_COPIED ->
                new JobEvent.ResultCopied(new WorkerId(event.getResultCopied().getTo()));
            case RESULT_NOT_COPIED ->
                new JobEvent.ResultNotCopied(event.getResultNotCopied().getReason());
            case RESULT_PUBLISHED ->
                new JobEvent.ResultPublished(event.getResultPublished().getLocation());
            case PUBLICATION_FAILED -> {
                var e = event.getPublicationFailed();
                yield new JobEvent.PublicationFailed(e.getReason(), e.getFinal());
            }
            case LOCALLY_STALLED -> {
                var e = event.getLocallyStalled();
                yield new JobEvent.LocallyStalled(e.getLargestHint(), e.getResidual());
            }
            case EVENT_NOT_SET ->
                throw new IllegalArgumentException("job event is empty; parent and worker are of different versions");
        };
    }

    /** To protobuf. */
    public static dev.volary.mesh.v1.Outcome write(JobOutcome outcome) {
        var builder = dev.volary.mesh.v1.Outcome.newBuilder();
        switch (outcome) {
            case JobOutcome.Certified o ->
                builder.getCertifiedBuilder().setSid(o.sid()).setResidual(o.residual());
            case JobOutcome.NotConverged o ->
                builder.getNotConvergedBuilder()
                        .setSid(o.sid())
                        .setResidual(o.residual())
                        .setIterations(o.iterations());
            case JobOutcome.Failed o -> builder.getFailedBuilder().setReason(o.reason());
        }
        return builder.build();
    }

    /** From protobuf. */
    public static JobOutcome read(dev.volary.mesh.v1.Outcome outcome) {
        return switch (outcome.getOutcomeCase()) {
            case CERTIFIED -> {
                var o = outcome.getCertified();
                yield new JobOutcome.Certified(o.getSid(), o.getResidual());
            }
            case NOT_CONVERGED -> {
                var o = outcome.getNotConverged();
                yield new JobOutcome.NotConverged(o.getSid(), o.getResidual(), o.getIterations());
            }
            case FAILED -> new JobOutcome.Failed(outcome.getFailed().getReason());
            case OUTCOME_NOT_SET ->
                throw new IllegalArgumentException("outcome is empty; parent and worker are of different versions");
        };
    }
}
