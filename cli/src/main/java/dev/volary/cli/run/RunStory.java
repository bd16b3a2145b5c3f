package dev.volary.cli.run;

import dev.volary.cli.check.CheckedJob;
import dev.volary.cli.display.JobView;
import dev.volary.cli.display.JobView.DaemonRow;
import dev.volary.cli.display.JobView.DaemonState;
import dev.volary.cli.display.JobView.Phase;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message.BlockProgress;
import dev.volary.protocol.Message.DaemonReport;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Collects what happened in a run, and tells it as the view a display shows. Confined to the run's thread. */
final class RunStory {
    /** Rates are averaged over about this long. */
    private static final double SMOOTHING_NANOS = 1e9;

    private final CheckedJob checked;
    private final long start = System.nanoTime();
    private final List<Member> workers = new ArrayList<>();
    private final Map<String, Row> rows =
            new TreeMap<>(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
    private final List<JobView.SnapshotPoint> history = new ArrayList<>();
    private final List<JobView.JobEvent> events = new ArrayList<>();
    private Phase phase = Phase.STARTING;
    private long computingSince;
    private long computingUntil;

    /** A daemon's latest report and its smoothed rate. */
    private static final class Row {
        private DaemonReport report = new DaemonReport(new NodeId(1), List.of());
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
                double latest = (iterations() - before) * 1e9 / (now - reportedAt);
                double weight = Math.min(1, (now - reportedAt) / SMOOTHING_NANOS);
                rate = rate == 0 ? latest : rate + weight * (latest - rate);
            }
            reportedAt = now;
        }
    }

    RunStory(CheckedJob checked) {
        this.checked = checked;
    }

    void ready(Member worker) {
        workers.add(worker);
        if (worker.role() == Role.DAEMON) {
            rows.put(worker.name(), new Row());
        }
        int expected = checked.job().spec().daemons().replicas()
                + checked.job().spec().spawners().replicas();
        if (workers.size() == expected) {
            tell(false, "%d workers are up".formatted(expected));
            phase = Phase.PLANNING;
        }
    }

    void take(JobEvent event, Map<NodeId, String> names) {
        switch (event) {
            case JobEvent.LeadElected(NodeId lead, long term) ->
                tell(false, "%s leads, term %d".formatted(names.getOrDefault(lead, lead.toString()), term));
            case JobEvent.Planned(int blocks, int groups, int daemons) ->
                tell(false, "planned %d blocks on %d daemons in %d groups".formatted(blocks, daemons, groups));
            case JobEvent.AllIterating() -> {
                phase = Phase.COMPUTING;
                computingSince = computingSince == 0 ? System.nanoTime() : computingSince;
                tell(false, "all blocks iterate");
            }
            case JobEvent.Progress(var daemons) -> {
                long now = System.nanoTime();
                for (DaemonReport report : daemons) {
                    Row row = rows.get(names.getOrDefault(report.daemon(), ""));
                    if (row != null) {
                        row.take(report, now);
                    }
                }
            }
            case JobEvent.SnapshotClosed closed -> {
                double relative = closed.residual() / checked.model().scale();
                history.add(new JobView.SnapshotPoint(elapsed(), closed.sid(), relative));
                if (closed.residual() <= checked.absoluteTolerance()) {
                    phase = Phase.COMMITTING;
                    computingUntil = System.nanoTime();
                }
            }
            case JobEvent.DaemonLost(NodeId daemon, var cause, var blocks) -> {
                String what =
                        switch (cause) {
                            case DEAD -> "is gone";
                            case STUCK -> "is stuck";
                            case LEFT -> "has left";
                        };
                tell(
                        true,
                        "%s %s, it served blocks %s"
                                .formatted(names.getOrDefault(daemon, daemon.toString()), what, blocks));
            }
            case JobEvent.BlocksReassigned(NodeId daemon, var blocks) ->
                tell(false, "%s takes blocks %s".formatted(names.getOrDefault(daemon, daemon.toString()), blocks));
            case JobEvent.BlocksParked(var blocks) -> tell(true, "no daemon has room for blocks %s".formatted(blocks));
            case JobEvent.Degraded(int copies, int wanted) ->
                tell(
                        copies < wanted,
                        copies < wanted
                                ? "degraded: blocks have %d of %d copies".formatted(copies, wanted)
                                : "blocks have all %d copies again".formatted(copies));
            case JobEvent.LocallyStalled(double hint, double residual) ->
                tell(
                        true,
                        String.format(
                                Locale.ROOT,
                                "locally stalled: every block's own residual is below %.3g, the certified one is %.3g; a link may be dead",
                                hint / checked.model().scale(),
                                residual / checked.model().scale()));
        }
    }

    void end(Phase last) {
        phase = last;
        if (computingUntil == 0) {
            computingUntil = System.nanoTime();
        }
    }

    private void tell(boolean isProblem, String text) {
        events.add(new JobView.JobEvent(elapsed(), isProblem, text));
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
        return rows.values().stream().mapToLong(Row::iterations).sum();
    }

    double updates() {
        return rows.values().stream().mapToDouble(Row::updates).sum();
    }

    /** Certified, relative; NaN before the first snapshot. */
    double lastResidual() {
        return history.isEmpty() ? Double.NaN : history.getLast().residual();
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
                checked.job().spec().scheme().name(),
                phase,
                elapsed(),
                checked.relativeTolerance(),
                rows.entrySet().stream()
                        .map(row -> view(row.getKey(), row.getValue()))
                        .toList(),
                history,
                events);
    }

    private DaemonRow view(String name, Row row) {
        List<BlockProgress> blocks = row.report.blocks();
        double hint = blocks.stream().mapToDouble(BlockProgress::hint).max().orElse(Double.NaN);
        DaemonState state = blocks.isEmpty()
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
                Double.isFinite(hint) ? hint / checked.model().scale() : Double.NaN,
                state);
    }
}
