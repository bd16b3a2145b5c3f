// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.check.ValidatedJob;
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
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import dev.volary.solver.TimeStepping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects the events of a run, and provides the view that a display shows. Confined to the thread of the run. */
final class RunProgress {
    /** How long a lost daemon stays visible. */
    private static final long SHOWN_LOST_NANOS = Duration.ofSeconds(10).toNanos();

    private final ValidatedJob checked;
    private final long start = System.nanoTime();
    private final List<Member> workers = new ArrayList<>();
    /** Workers that ended or were declared dead, and when. */
    private final Map<String, Long> lostAt = new HashMap<>();

    private final RecoveryStatistics statistics = new RecoveryStatistics();
    private final Map<String, DaemonProgress> rows =
            new TreeMap<>(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
    private final ResidualCurve curve = new ResidualCurve();
    /** Snapshots and events that no display has shown yet. */
    private final List<JobView.SnapshotPoint> newSnapshots = new ArrayList<>();

    private final List<JobView.JobEvent> newEvents = new ArrayList<>();
    private Phase phase = Phase.STARTING;
    private StepProgress steps;
    /** Iterations at which restored blocks began: they were counted for the daemon that computed them. */
    private long restoredIterations;

    private double restoredUpdates;
    private long computingSince;
    private long computingUntil;

    RunProgress(ValidatedJob checked) {
        this.checked = checked;
        this.steps = new StepProgress(
                0, checked.model().timeStepping().map(TimeStepping::steps).orElse(0));
    }

    void ready(Member worker) {
        workers.add(worker);
        if (worker.role() == WorkerRole.DAEMON) {
            rows.put(worker.name(), new DaemonProgress());
        }
        JobSpec spec = checked.spec();
        int expected = spec.daemons().replicas() + spec.spawnerCount();
        if (phase == Phase.STARTING
                && workers.stream().filter(w -> !lostAt.containsKey(w.name())).count() == expected) {
            newEvents.add(new JobView.JobEvent(elapsed(), false, "%d workers are ready".formatted(expected)));
            phase = Phase.PLANNING;
        }
    }

    /** Applies an event that the leader reported; returns the records for the event log. */
    List<EventRecord> take(JobEvent event, Map<WorkerId, String> names, long now) {
        List<EventRecord> records = new ArrayList<>();
        EventRecord.of(event, names, checked.tolerance().scale()).ifPresent(records::add);
        switch (event) {
            case JobEvent.AllIterating() -> {
                phase = Phase.COMPUTING;
                computingSince = computingSince == 0 ? now : computingSince;
            }
            case JobEvent.Progress(var daemons) ->
                daemons.forEach(report -> records.addAll(progress(report, names, now)));
            case JobEvent.SnapshotClosed closed -> closed(closed, now);
            case JobEvent.DaemonLost lost ->
                records.set(0, lost(lost, name(lost.daemon(), names), records.getFirst(), now));
            case JobEvent.StepCommitted committed -> {
                if (committed.step() <= steps.committed()) {
                    return records; // a later leader repeats it
                }
                steps = new StepProgress(committed.step(), committed.steps());
            }
            case JobEvent.VerdictWithdrawn withdrawn -> phase = Phase.COMPUTING;
            default -> {} // changes nothing that is counted here
        }
        EventText.of(event, id -> name(id, names), checked.tolerance())
                .ifPresent(text -> report(text, records.getFirst()));
        return records;
    }

    /** A daemon that ends says how far its blocks were in the newest snapshot; what the leader has heard of it may be older. */
    void recorded(DaemonReport last) {
        for (Member worker : workers) {
            DaemonProgress row = rows.get(worker.name());
            if (row != null && worker.id().equals(last.daemon())) {
                row.recorded(last);
            }
        }
    }

    private void closed(JobEvent.SnapshotClosed closed, long now) {
        JobView.SnapshotPoint point = new JobView.SnapshotPoint(
                elapsed(), closed.sid(), checked.tolerance().relative(closed.residual()), closed.iterations());
        curve.add(point);
        newSnapshots.add(point);
        boolean isLast = !steps.hasTimeSteps() || steps.committed() + 1 == steps.of();
        if (isLast && checked.tolerance().isMetBy(closed.residual())) {
            phase = Phase.COMMITTING;
            computingUntil = now;
        }
    }

    private List<EventRecord> progress(DaemonReport report, Map<WorkerId, String> names, long now) {
        List<EventRecord> records = new ArrayList<>();
        String daemon = name(report.daemon(), names);
        DaemonProgress row = rows.get(daemon);
        if (row != null && !lostAt.containsKey(daemon)) {
            row.take(report, id -> name(id, names), now);
        }
        for (BlockProgress block : report.blocks()) {
            statistics.progress(daemon, block, now).ifPresent(recovery -> {
                EventRecord record = EventRecord.of(recovery);
                restoredIterations += recovery.iteration();
                restoredUpdates += block.updates();
                records.add(record);
                report(EventText.of(recovery, daemon), record);
            });
        }
        return records;
    }

    private EventRecord lost(JobEvent.DaemonLost lost, String daemon, EventRecord record, long now) {
        Duration detection = statistics.lost(daemon, lost.cause(), lost.silentNanos(), lost.blocks(), now);
        markLost(daemon, now);
        return record.with("noticed_after_ms", EventRecord.millis(detection));
    }

    /** Applies an event of a worker process; returns the record for the event log. */
    EventRecord take(ProcessEvent event, long now) {
        EventRecord record = EventRecord.of(event);
        switch (event) {
            case ProcessEvent.FaultInjected injected -> statistics.faultInjected(injected.worker(), now);
            case ProcessEvent.Continued continued -> statistics.continued(continued.worker());
            case ProcessEvent.Ended ended -> {
                statistics.ended(ended.worker(), now);
                markLost(ended.worker(), now);
            }
            case ProcessEvent.Unable unable -> {}
            case ProcessEvent.Joined joined -> {}
        }
        report(EventText.of(event), record);
        return record;
    }

    /** Takes the processor time of all workers that there ever were. */
    void coreTime(Duration all) {
        if (phase == Phase.COMPUTING) {
            statistics.coreTime(workers.size(), all);
        }
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

    private void report(EventText event, EventRecord record) {
        newEvents.add(
                new JobView.JobEvent(elapsed(), event.isProblem(), event.text(), record.type(), record.details()));
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
        return rows.values().stream().mapToLong(DaemonProgress::iterations).sum() - restoredIterations;
    }

    double updates() {
        return rows.values().stream().mapToDouble(DaemonProgress::updates).sum() - restoredUpdates;
    }

    /** The last certified residual, relative; NaN before the first snapshot. */
    double lastResidual() {
        return curve.points().isEmpty() ? Double.NaN : curve.points().getLast().residual();
    }

    StepProgress steps() {
        return steps;
    }

    int snapshots() {
        return curve.added();
    }

    List<Member> workers() {
        return List.copyOf(workers);
    }

    /** The latest report of each daemon, by name. */
    Map<String, DaemonReport> reports() {
        Map<String, DaemonReport> reports = new HashMap<>();
        rows.forEach((name, row) -> reports.put(name, row.report()));
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
                curve.points(),
                newSnapshots,
                newEvents,
                steps);
    }

    /** A display has shown the latest view: the next one has only newer snapshots and events. */
    void shown() {
        newSnapshots.clear();
        newEvents.clear();
    }

    /** A lost daemon stays visible for a while. */
    private boolean isShown(String daemon) {
        Long since = lostAt.get(daemon);
        return since == null || System.nanoTime() - since < SHOWN_LOST_NANOS;
    }

    private DaemonRow view(String name, DaemonProgress row) {
        List<BlockProgress> blocks = row.blocks();
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
                row.rate(),
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
                row.backups(),
                state);
    }
}
