// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.console.Units;
import dev.volary.cli.local.ProcessEvent;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.model.Tolerance;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * What people read about an event of a run.
 *
 * @param isProblem whether it is shown as one
 */
record EventText(boolean isProblem, String text) {

    private static Optional<EventText> news(String text) {
        return Optional.of(new EventText(false, text));
    }

    private static Optional<EventText> problem(String text) {
        return Optional.of(new EventText(true, text));
    }

    /** An event that the leader reported; empty if it would flood the display. */
    static Optional<EventText> of(JobEvent event, Function<WorkerId, String> names, Tolerance tolerance) {
        return switch (event) {
            case JobEvent.LeaderElected(WorkerId leader, long term) ->
                news("%s is the leader, term %d".formatted(names.apply(leader), term));
            case JobEvent.Planned(int blocks, int groups, int daemons) ->
                news("planned %d blocks on %d daemons in %d groups".formatted(blocks, daemons, groups));
            case JobEvent.AllIterating() -> news("all blocks iterate");
            case JobEvent.Progress progress -> Optional.empty();
            case JobEvent.SnapshotClosed closed -> Optional.empty();
            case JobEvent.DaemonLost lost -> lost(lost, names.apply(lost.daemon()));
            case JobEvent.DaemonLeaving(WorkerId daemon, var blocks) ->
                news("%s is leaving; its blocks %s move to other daemons".formatted(names.apply(daemon), blocks));
            case JobEvent.BlocksReassigned(WorkerId daemon, var blocks) ->
                news("%s is assigned blocks %s".formatted(names.apply(daemon), blocks));
            case JobEvent.GroupTakenOver(WorkerId spawner, long n, var blocks) ->
                news("%s took over blocks %s".formatted(names.apply(spawner), blocks));
            case JobEvent.BlocksParked(var blocks) ->
                problem("blocks %s are parked: no daemon has enough free memory".formatted(blocks));
            case JobEvent.RolledBack(int epoch, long iteration) ->
                news("all blocks roll back to iteration %d".formatted(iteration));
            case JobEvent.Degraded(int copies, int wanted) ->
                copies < wanted
                        ? problem("degraded: blocks have %d of %d backups".formatted(copies, wanted))
                        : news("blocks have all %d backups again".formatted(copies));
            case JobEvent.StepCommitted committed ->
                news("time step %d of %d is committed, certified residual %s"
                        .formatted(
                                committed.step(),
                                committed.steps(),
                                Units.small(tolerance.relative(committed.residual()))));
            case JobEvent.CheckpointSaved saved -> Optional.empty();
            case JobEvent.CheckpointFailed(long sid, String reason) ->
                problem("snapshot %d was not saved as a checkpoint: %s".formatted(sid, reason));
            case JobEvent.AnswerKept kept -> Optional.empty();
            case JobEvent.VerdictWithdrawn(long sid, String reason) ->
                problem("snapshot %d is not certified after all, another snapshot follows: %s".formatted(sid, reason));
            case JobEvent.ResultCopied(WorkerId to) -> news("%s holds a copy of the result".formatted(names.apply(to)));
            case JobEvent.ResultNotCopied(String reason) ->
                problem("only the leader holds the result: %s".formatted(reason));
            case JobEvent.ResultPublished(String location) -> news("the result is in %s".formatted(location));
            case JobEvent.PublicationFailed(String reason, boolean isFinal) ->
                problem("the result was not published%s: %s".formatted(isFinal ? "" : ", trying again", reason));
            case JobEvent.LocallyStalled(double hint, double residual) ->
                problem(String.format(
                        Locale.ROOT,
                        "locally stalled: the residual hint of every block is below %.3g, but the certified residual is %.3g:"
                                + " blocks wait for halos; if it does not fall, a link may be broken",
                        tolerance.relative(hint),
                        tolerance.relative(residual)));
        };
    }

    private static Optional<EventText> lost(JobEvent.DaemonLost lost, String daemon) {
        String blocks = lost.blocks().isEmpty() ? "" : "; it served blocks " + lost.blocks();
        return switch (lost.cause()) {
            case DEAD ->
                problem("%s is declared dead, silent for %s%s"
                        .formatted(daemon, Units.time(Duration.ofNanos(lost.silentNanos())), blocks));
            case STUCK -> problem("%s is stuck%s".formatted(daemon, blocks));
            case LEFT -> news("%s has left%s".formatted(daemon, blocks));
        };
    }

    /** A block iterates again on a daemon. */
    static EventText of(RecoveryStatistics.Recovery recovery, String daemon) {
        String lost = recovery.lostIterations() > 0
                ? " and lost about %d iterations".formatted(recovery.lostIterations())
                : "";
        return new EventText(
                false,
                "block %d iterates again on %s, from iteration %d; it stood still for %s%s"
                        .formatted(
                                recovery.block(),
                                daemon,
                                recovery.iteration(),
                                Units.time(recovery.stoodStill()),
                                lost));
    }

    /** An event of a worker process. */
    static EventText of(ProcessEvent event) {
        return switch (event) {
            case ProcessEvent.FaultInjected injected ->
                new EventText(true, "fault injection " + injected.fault().describe(injected.worker()));
            case ProcessEvent.Continued continued ->
                new EventText(false, continued.worker() + " continues after its pause");
            case ProcessEvent.Unable unable -> new EventText(true, unable.reason());
            case ProcessEvent.Ended ended -> new EventText(!ended.isEvicted(), ended(ended));
            case ProcessEvent.Joined joined ->
                new EventText(
                        false,
                        joined.replaced()
                                .map(replaced -> joined.worker() + " replaces " + replaced)
                                .orElseGet(() -> joined.worker() + " is ready as a standby"));
        };
    }

    private static String ended(ProcessEvent.Ended ended) {
        if (ended.isEvicted()) {
            return "%s (pid %d) was evicted and restarts with a new identity".formatted(ended.worker(), ended.pid());
        }
        return "%s (pid %d) ended with status %d".formatted(ended.worker(), ended.pid(), ended.status())
                + (ended.isOutOfMemory() ? ", out of memory" : "")
                + (ended.isProvoked() ? "" : "; see its log " + ended.log());
    }
}
