// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.Units;
import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.display.FailureSummary;
import dev.volary.cli.display.JobView;
import dev.volary.cli.display.JobView.DaemonRow;
import dev.volary.cli.display.JobView.DaemonState;
import dev.volary.cli.display.JobView.Phase;
import dev.volary.cli.display.StepProgress;
import dev.volary.job.spec.JobSpec;
import dev.volary.protocol.FailureVerdict;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.Member;
import dev.volary.protocol.ProgressMessage.BlockProgress;
import dev.volary.protocol.ProgressMessage.DaemonReport;
import dev.volary.protocol.WorkerId;
import dev.volary.protocol.WorkerRole;
import dev.volary.solver.TimeStepping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Collects what happened in a run, and tells it as the view a display shows. Confined to the run's thread. */
final class RunProgress {
    /** Rates are averaged over about this long. */
    private static final double SMOOTHING_NANOS = 1e9;

    /** How long a lost daemon keeps its line. */
    private static final long SHOWN_LOST_NANOS = Duration.ofSeconds(10).toNanos();

    private final ValidatedJob checked;
    private final long start = System.nanoTime();
    private final List<Member> workers = new ArrayList<>();
    /** Workers that ended or were declared lost, and when. */
    private final Map<String, Long> gone = new HashMap<>();

    private final RecoveryStatistics losses = new RecoveryStatistics();
    private final Map<String, Row> rows =
            new TreeMap<>(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
    private final List<JobView.SnapshotPoint> history = new ArrayList<>();
    private final List<JobView.JobEvent> events = new ArrayList<>();
    private Phase phase = Phase.STARTING;
    private StepProgress steps;
    /** What restored blocks began with: others have computed it, and it is counted there. */
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
                && workers.stream().filter(w -> !gone.containsKey(w.name())).count() == expected) {
            tell(false, "%d workers are up".formatted(expected));
            phase = Phase.PLANNING;
        }
    }

    /** Takes what the lead tells; returns what is worth writing down. */
    List<EventRecord> take(JobEvent event, Map<WorkerId, String> names, long now) {
        List<EventRecord> records = new ArrayList<>();
        EventRecord.of(event, names, checked.tolerance().scale()).ifPresent(records::add);
        switch (event) {
            case JobEvent.LeadElected(WorkerId lead, long term) ->
                tell(false, "%s leads, term %d".formatted(name(lead, names), term), records.getFirst());
            case JobEvent.Planned(int blocks, int groups, int daemons) ->
                tell(
                        false,
                        "planned %d blocks on %d daemons in %d groups".formatted(blocks, daemons, groups),
                        records.getFirst());
            case JobEvent.AllIterating() -> {
                phase = Phase.COMPUTING;
                computingSince = computingSince == 0 ? now : computingSince;
                tell(false, "all blocks iterate", records.getFirst());
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
                tell(
                        false,
                        "%s leaves; blocks %s go elsewhere".formatted(name(daemon, names), blocks),
                        records.getFirst());
            case JobEvent.BlocksReassigned(WorkerId daemon, var blocks) ->
                tell(false, "%s takes blocks %s".formatted(name(daemon, names), blocks), records.getFirst());
            case JobEvent.GroupTakenOver(WorkerId spawner, long n, var blocks) ->
                tell(
                        false,
                        "%s looks after blocks %s from now on".formatted(name(spawner, names), blocks),
                        records.getFirst());
            case JobEvent.BlocksParked(var blocks) ->
                tell(true, "no daemon has room for blocks %s; they wait for one".formatted(blocks), records.getFirst());
            case JobEvent.RolledBack(int epoch, long iteration) ->
                tell(false, "all blocks go back to iteration %d".formatted(iteration), records.getFirst());
            case JobEvent.Degraded(int copies, int wanted) ->
                tell(
                        copies < wanted,
                        copies < wanted
                                ? "degraded: blocks have %d of %d copies".formatted(copies, wanted)
                                : "blocks have all %d copies again".formatted(copies),
                        records.getFirst());
            case JobEvent.StepCommitted committed -> {
                if (committed.step() > steps.committed()) {
                    steps = new StepProgress(committed.step(), committed.steps());
                    tell(
                            false,
                            "step %d of %d is committed, with the certified residual %s"
                                    .formatted(
                                            committed.step(),
                                            committed.steps(),
                                            Units.small(checked.tolerance().relative(committed.residual()))),
                            records.getFirst());
                }
            }
            case JobEvent.CheckpointSaved kept -> {} // as often as not: the record is enough
            case JobEvent.CheckpointFailed(long sid, String reason) ->
                tell(true, "snapshot %d is no checkpoint: %s".formatted(sid, reason), records.getFirst());
            case JobEvent.VerdictWithdrawn(long sid, String reason) -> {
                phase = Phase.COMPUTING;
                tell(
                        true,
                        "the verdict on snapshot %d is withdrawn, another snapshot follows: %s".formatted(sid, reason),
                        records.getFirst());
            }
            case JobEvent.ResultCopied(WorkerId to) ->
                tell(false, "%s holds a copy of the result".formatted(name(to, names)), records.getFirst());
            case JobEvent.ResultNotCopied(String reason) ->
                tell(true, "only the leader holds the result: %s".formatted(reason), records.getFirst());
            case JobEvent.LocallyStalled(double hint, double residual) ->
                tell(
                        true,
                        String.format(
                                Locale.ROOT,
                                "locally stalled: every block's own residual is below %.3g, the certified one is %.3g: blocks wait for halos; if it does not fall, a link may be dead",
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
        if (row != null && !gone.containsKey(daemon)) {
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
            losses.progress(daemon, block, now).ifPresent(recovery -> {
                EventRecord record = EventRecord.of(recovery);
                restoredIterations += recovery.iteration();
                restoredUpdates += block.updates();
                records.add(record);
                tell(
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
        Duration detection = losses.lost(daemon, lost.cause(), lost.silentNanos(), lost.blocks(), now);
        gone(daemon, now);
        String what =
                switch (lost.cause()) {
                    case DEAD -> "is declared dead, silent for " + Units.time(Duration.ofNanos(lost.silentNanos()));
                    case STUCK -> "is stuck";
                    case LEFT -> "has left";
                };
        EventRecord more = record.with("noticed_after_ms", EventRecord.millis(detection));
        tell(
                lost.cause() != FailureVerdict.Cause.LEFT,
                "%s %s%s".formatted(daemon, what, lost.blocks().isEmpty() ? "" : "; it served blocks " + lost.blocks()),
                more);
        return more;
    }

    /** Takes what befell a process; returns what to write down. */
    EventRecord take(ProcessEvent happening, long now) {
        EventRecord record = EventRecord.of(happening);
        switch (happening) {
            case ProcessEvent.Struck struck -> {
                losses.struck(struck.worker(), now);
                tell(true, "the perturbator %s %s".formatted(struck.manner().verb(), struck.worker()), record);
            }
            case ProcessEvent.Resumed resumed -> {
                losses.resumed(resumed.worker());
                tell(false, "%s goes on".formatted(resumed.worker()), record);
            }
            case ProcessEvent.Unable unable -> tell(true, unable.reason(), record);
            case ProcessEvent.Ended ended -> {
                losses.ended(ended.worker(), now);
                gone(ended.worker(), now);
                tell(!ended.isDismissed(), text(ended), record);
            }
            case ProcessEvent.Joined joined ->
                tell(
                        false,
                        joined.instead()
                                .map(instead -> "%s takes the place of %s".formatted(joined.worker(), instead))
                                .orElseGet(() -> "%s stands by".formatted(joined.worker())),
                        record);
        }
        return record;
    }

    private static String text(ProcessEvent.Ended ended) {
        if (ended.isDismissed()) {
            return "%s (pid %d) starts anew".formatted(ended.worker(), ended.pid());
        }
        return "%s (pid %d) ended with status %d".formatted(ended.worker(), ended.pid(), ended.status())
                + (ended.isOutOfMemory() ? ", out of memory" : "")
                + (ended.isProvoked() ? "" : "; its log is " + ended.log());
    }

    private void gone(String worker, long now) {
        gone.putIfAbsent(worker, now);
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

    private void tell(boolean isProblem, String text) {
        events.add(new JobView.JobEvent(elapsed(), isProblem, text));
    }

    private void tell(boolean isProblem, String text, EventRecord record) {
        events.add(new JobView.JobEvent(elapsed(), isProblem, text, record.type(), record.details()));
    }

    private static String name(WorkerId id, Map<WorkerId, String> names) {
        return names.getOrDefault(id, id.toString());
    }

    /** What crashes have cost so far. */
    FailureSummary survival() {
        return losses.survival(checked.decomposition().blocks(), computing());
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

    /** Certified, relative; NaN before the first snapshot. */
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

    /** Blocks and iterations of each daemon, by name. */
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

    /** A lost daemon is shown for a while. */
    private boolean isShown(String daemon) {
        Long since = gone.get(daemon);
        return since == null || System.nanoTime() - since < SHOWN_LOST_NANOS;
    }

    private DaemonRow view(String name, Row row) {
        List<BlockProgress> blocks = row.report.blocks();
        double hint = blocks.stream().mapToDouble(BlockProgress::hint).max().orElse(Double.NaN);
        DaemonState state = gone.containsKey(name)
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
