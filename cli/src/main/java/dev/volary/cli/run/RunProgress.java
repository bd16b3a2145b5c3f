// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.console.Units;
import dev.volary.cli.display.FailureSummary;
import dev.volary.cli.display.JobView;
import dev.volary.cli.display.JobView.DaemonRow;
import dev.volary.cli.display.JobView.DaemonState;
import dev.volary.cli.display.JobView.Phase;
import dev.volary.cli.display.StepProgress;
import dev.volary.cli.local.ProcessEvent;
import dev.volary.job.spec.JobSpec;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.message.ProgressMessage.DaemonReport;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import dev.volary.solver.TimeStepping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Collects the events of a run, and provides the view that a display shows. Confined to the thread of the run. */
final class RunProgress {
    /** Time over which rates are averaged. */
    private static final double SMOOTHING_NANOS = 1e9;

    /** How long a lost daemon stays visible. */
    private static final long SHOWN_LOST_NANOS = Duration.ofSeconds(10).toNanos();

    private final ValidatedJob checked;
    private final long start = System.nanoTime();
    private final List<Member> workers = new ArrayList<>();
    /** Workers that ended or were declared dead, and when. */
    private final Map<String, Long> lostAt = new HashMap<>();

    private final RecoveryStatistics statistics = new RecoveryStatistics();
    private final Map<String, Row> rows =
            new TreeMap<>(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
    private final List<JobView.SnapshotPoint> history = new ArrayList<>();
    private final List<JobView.JobEvent> events = new ArrayList<>();
    private Phase phase = Phase.STARTING;
    private StepProgress steps;
    /** Iterations at which restored blocks began: they were counted for the daemon that computed them. */
    private long restoredIterations;

    private double restoredUpdates;
    private long computingSince;
    private long computingUntil;

    /** A daemon's latest report and its smoothed rate. */
    private static final class Row {
        private DaemonReport report = new DaemonReport(new WorkerId(1), List.of());
        private List<String> backups = List.of();
        private long reportedAt;
        private double rate;

        long iterations() {
            return report.blocks().stream().mapToLong(BlockProgress::iteration).sum();
        }

        double updates() {
            return report.blocks().stream().mapToDouble(BlockProgress::updates).sum();
        }

        void take(DaemonReport next, long now) {
            long before = iterations();
            report = next;
            if (reportedAt != 0 && now > reportedAt) {
                // A block that has moved away takes its iterations along.
                double latest = Math.max(0, iterations() - before) * 1e9 / (now - reportedAt);
                double weight = Math.min(1, (now - reportedAt) / SMOOTHING_NANOS);
                rate = rate == 0 ? latest : rate + weight * (latest - rate);
            }
            reportedAt = now;
        }
    }

    RunProgress(ValidatedJob checked) {
        this.checked = checked;
        this.steps = new StepProgress(
                0, checked.model().timeStepping().map(TimeStepping::steps).orElse(0));
    }

    void ready(Member worker) {
        workers.add(worker);
        if (worker.role() == WorkerRole.DAEMON) {
            rows.put(worker.name(), new Row());
        }
        JobSpec spec = checked.spec();
        int expected = spec.daemons().replicas() + spec.spawnerCount();
        if (phase == Phase.STARTING
                && workers.stream().filter(w -> !lostAt.containsKey(w.name())).count() == expected) {
            report(false, "%d workers are ready".formatted(expected));
            phase = Phase.PLANNING;
        }
    }

    /** Applies an event that the leader reported; returns the records for the event log. */
    List<EventRecord> take(JobEvent event, Map<WorkerId, String> names, long now) {
        List<EventRecord> records = new ArrayList<>();
        EventRecord.of(event, names, checked.tolerance().scale()).ifPresent(records::add);
        switch (event) {
            case JobEvent.LeaderElected(WorkerId leader, long term) ->
                report(false, "%s is the leader, term %d".formatted(name(leader, names), term), records.getFirst());
            case JobEvent.Planned(int blocks, int groups, int daemons) ->
                report(
                        false,
                        "planned %d blocks on %d daemons in %d groups".formatted(blocks, daemons, groups),
                        records.getFirst());
            case JobEvent.AllIterating() -> {
                phase = Phase.COMPUTING;
                computingSince = computingSince == 0 ? now : computingSince;
                report(false, "all blocks iterate", records.getFirst());
            }
            case JobEvent.Progress(var daemons) ->
                daemons.forEach(report -> records.addAll(progress(report, names, now)));
            case JobEvent.SnapshotClosed closed -> {
                double relative = checked.tolerance().relative(closed.residual());
                history.add(new JobView.SnapshotPoint(elapsed(), closed.sid(), relative));
                boolean last = !steps.isMarching() || steps.committed() + 1 == steps.of();
                if (last && checked.tolerance().isMetBy(closed.residual())) {
                    phase = Phase.COMMITTING;
                    computingUntil = now;
                }
            }
            case JobEvent.DaemonLost lost ->
                records.set(0, lost(lost, name(lost.daemon(), names), records.getFirst(), now));
            case JobEvent.DaemonLeaving(WorkerId daemon, var blocks) ->
                report(
                        false,
                        "%s is leaving; its blocks %s move to other daemons".formatted(name(daemon, names), blocks),
                        records.getFirst());
            case JobEvent.BlocksReassigned(WorkerId daemon, var blocks) ->
                report(false, "%s is assigned blocks %s".formatted(name(daemon, names), blocks), records.getFirst());
            case JobEvent.GroupTakenOver(WorkerId spawner, long n, var blocks) ->
                report(false, "%s took over blocks %s".formatted(name(spawner, names), blocks), records.getFirst());
            case JobEvent.BlocksParked(var blocks) ->
                report(
                        true,
                        "blocks %s are parked: no daemon has enough free memory".formatted(blocks),
                        records.getFirst());
            case JobEvent.RolledBack(int epoch, long iteration) ->
                report(false, "all blocks roll back to iteration %d".formatted(iteration), records.getFirst());
            case JobEvent.Degraded(int copies, int wanted) ->
                report(
                        copies < wanted,
                        copies < wanted
                                ? "degraded: blocks have %d of %d backups".formatted(copies, wanted)
                                : "blocks have all %d backups again".formatted(copies),
                        records.getFirst());
            case JobEvent.StepCommitted committed -> {
                if (committed.step() > steps.committed()) {
                    steps = new StepProgress(committed.step(), committed.steps());
                    report(
                            false,
                            "time step %d of %d is committed, certified residual %s"
                                    .formatted(
                                            committed.step(),
                                            committed.steps(),
                                            Units.small(checked.tolerance().relative(committed.residual()))),
                            records.getFirst());
                }
            }
            case JobEvent.CheckpointSaved kept -> {} // the display would be flooded: the record is enough
            case JobEvent.CheckpointFailed(long sid, String reason) ->
                report(
                        true,
                        "snapshot %d was not saved as a checkpoint: %s".formatted(sid, reason),
                        records.getFirst());
            case JobEvent.VerdictWithdrawn(long sid, String reason) -> {
                phase = Phase.COMPUTING;
                report(
                        true,
                        "snapshot %d is not certified after all, another snapshot follows: %s".formatted(sid, reason),
                        records.getFirst());
            }
            case JobEvent.ResultCopied(WorkerId to) ->
                report(false, "%s holds a copy of the result".formatted(name(to, names)), records.getFirst());
            case JobEvent.ResultNotCopied(String reason) ->
                report(true, "only the leader holds the result: %s".formatted(reason), records.getFirst());
            case JobEvent.LocallyStalled(double hint, double residual) ->
                report(
                        true,
                        String.format(
                                Locale.ROOT,
                                "locally stalled: the residual hint of every block is below %.3g, but the certified residual is %.3g: blocks wait for halos; if it does not fall, a link may be broken",
                                checked.tolerance().relative(hint),
                                checked.tolerance().relative(residual)),
                        records.getFirst());
        }
        return records;
    }

    private List<EventRecord> progress(DaemonReport report, Map<WorkerId, String> names, long now) {
        List<EventRecord> records = new ArrayList<>();
        String daemon = name(report.daemon(), names);
        Row row = rows.get(daemon);
        if (row != null && !lostAt.containsKey(daemon)) {
            row.take(report, now);
            row.backups = report.blocks().stream()
                    .flatMap(block -> block.backup().stream())
                    .flatMap(backup -> backup.holders().stream())
                    .map(holder -> name(holder, names))
                    .distinct()
                    .sorted()
                    .toList();
        }
        for (BlockProgress block : report.blocks()) {
            statistics.progress(daemon, block, now).ifPresent(recovery -> {
                EventRecord record = EventRecord.of(recovery);
                restoredIterations += recovery.iteration();
                restoredUpdates += block.updates();
                records.add(record);
                report(
                        false,
                        "block %d iterates again on %s, from iteration %d; it stood still for %s"
                                        .formatted(
                                                recovery.block(),
                                                daemon,
                                                recovery.iteration(),
                                                Units.time(recovery.stoodStill()))
                                + (recovery.lostIterations() > 0
                                        ? " and lost about %d iterations".formatted(recovery.lostIterations())
                                        : ""),
                        record);
            });
        }
        return records;
    }

    private EventRecord lost(JobEvent.DaemonLost lost, String daemon, EventRecord record, long now) {
        Duration detection = statistics.lost(daemon, lost.cause(), lost.silentNanos(), lost.blocks(), now);
        markLost(daemon, now);
        String what =
                switch (lost.cause()) {
                    case DEAD -> "is declared dead, silent for " + Units.time(Duration.ofNanos(lost.silentNanos()));
                    case STUCK -> "is stuck";
                    case LEFT -> "has left";
                };
        EventRecord more = record.with("noticed_after_ms", EventRecord.millis(detection));
        report(
                lost.cause() != FailureVerdict.Cause.LEFT,
                "%s %s%s".formatted(daemon, what, lost.blocks().isEmpty() ? "" : "; it served blocks " + lost.blocks()),
                more);
        return more;
    }

    /** Applies an event of a worker process; returns the record for the event log. */
    EventRecord take(ProcessEvent event, long now) {
        EventRecord record = EventRecord.of(event);
        switch (event) {
            case ProcessEvent.FaultInjected injected -> {
                statistics.faultInjected(injected.worker(), now);
                report(true, "fault injection " + injected.fault().describe(injected.worker()), record);
            }
            case ProcessEvent.Continued continued -> {
                statistics.continued(continued.worker());
                report(false, "%s continues after its pause".formatted(continued.worker()), record);
            }
            case ProcessEvent.Unable unable -> report(true, unable.reason(), record);
            case ProcessEvent.Ended ended -> {
                statistics.ended(ended.worker(), now);
                markLost(ended.worker(), now);
                report(!ended.isEvicted(), text(ended), record);
            }
            case ProcessEvent.Joined joined ->
                report(
                        false,
                        joined.replaced()
                                .map(replaced -> "%s replaces %s".formatted(joined.worker(), replaced))
                                .orElseGet(() -> "%s is ready as a standby".formatted(joined.worker())),
                        record);
        }
        return record;
    }

    private static String text(ProcessEvent.Ended ended) {
        if (ended.isEvicted()) {
            return "%s (pid %d) was evicted and restarts with a new identity".formatted(ended.worker(), ended.pid());
        }
        return "%s (pid %d) ended with status %d".formatted(ended.worker(), ended.pid(), ended.status())
                + (ended.isOutOfMemory() ? ", out of memory" : "")
                + (ended.isProvoked() ? "" : "; see its log " + ended.log());
    }

    private void markLost(String worker, long now) {
        lostAt.putIfAbsent(worker, now);
    }

    void end(Phase last) {
        phase = last;
        if (last == Phase.CERTIFIED) {
            steps = new StepProgress(steps.of(), steps.of());
        }
        if (computingUntil == 0) {
            computingUntil = System.nanoTime();
        }
    }

    private void report(boolean isProblem, String text) {
        events.add(new JobView.JobEvent(elapsed(), isProblem, text));
    }

    private void report(boolean isProblem, String text, EventRecord record) {
        events.add(new JobView.JobEvent(elapsed(), isProblem, text, record.type(), record.details()));
    }

    private static String name(WorkerId id, Map<WorkerId, String> names) {
        return names.getOrDefault(id, id.toString());
    }

    /** The failures so far, and what they cost. */
    FailureSummary failures() {
        return statistics.summary(checked.decomposition().blocks(), computing());
    }

    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    Duration computing() {
        return computingSince == 0
                ? Duration.ZERO
                : Duration.ofNanos(
                        Math.max(0, (computingUntil == 0 ? System.nanoTime() : computingUntil) - computingSince));
    }

    long iterations() {
        return rows.values().stream().mapToLong(Row::iterations).sum() - restoredIterations;
    }

    double updates() {
        return rows.values().stream().mapToDouble(Row::updates).sum() - restoredUpdates;
    }

    /** The last certified residual, relative; NaN before the first snapshot. */
    double lastResidual() {
        return history.isEmpty() ? Double.NaN : history.getLast().residual();
    }

    StepProgress steps() {
        return steps;
    }

    int snapshots() {
        return history.size();
    }

    List<Member> workers() {
        return List.copyOf(workers);
    }

    /** The latest report of each daemon, by name. */
    Map<String, DaemonReport> reports() {
        Map<String, DaemonReport> reports = new HashMap<>();
        rows.forEach((name, row) -> reports.put(name, row.report));
        return reports;
    }

    JobView view() {
        return new JobView(
                checked.name(),
                checked.problem().name(),
                checked.spec().scheme().name(),
                phase,
                elapsed(),
                checked.tolerance().relative(),
                rows.entrySet().stream()
                        .filter(row -> isShown(row.getKey()))
                        .map(row -> view(row.getKey(), row.getValue()))
                        .toList(),
                history,
                events,
                steps);
    }

    /** A lost daemon stays visible for a while. */
    private boolean isShown(String daemon) {
        Long since = lostAt.get(daemon);
        return since == null || System.nanoTime() - since < SHOWN_LOST_NANOS;
    }

    private DaemonRow view(String name, Row row) {
        List<BlockProgress> blocks = row.report.blocks();
        double hint = blocks.stream().mapToDouble(BlockProgress::hint).max().orElse(Double.NaN);
        DaemonState state = lostAt.containsKey(name)
                ? DaemonState.LOST
                : blocks.isEmpty()
                        ? DaemonState.WAITING
                        : phase == Phase.COMPUTING
                                ? DaemonState.COMPUTING
                                : phase == Phase.PLANNING ? DaemonState.WAITING : DaemonState.DONE;
        return new DaemonRow(
                name,
                blocks.stream().map(BlockProgress::block).toList(),
                row.rate,
                row.iterations(),
                Duration.ofNanos(blocks.stream()
                        .mapToLong(BlockProgress::haloAgeNanos)
                        .max()
                        .orElse(0)),
                blocks.stream()
                        .mapToLong(BlockProgress::haloAgeIterations)
                        .max()
                        .orElse(0),
                Double.isFinite(hint) ? checked.tolerance().relative(hint) : Double.NaN,
                row.backups,
                state);
    }
}
