// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.message.ProgressMessage.DaemonReport;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.function.Function;

/** The latest report of a daemon, and its smoothed rate. */
final class DaemonProgress {
    /** Time over which rates are averaged. */
    private static final double SMOOTHING_NANOS = 1e9;

    private DaemonReport report = new DaemonReport(new WorkerId(1), List.of());
    private List<String> backups = List.of();
    private long reportedAt;
    private double rate;

    long iterations() {
        return iterations(report);
    }

    private static long iterations(DaemonReport report) {
        return report.blocks().stream().mapToLong(BlockProgress::iteration).sum();
    }

    double updates() {
        return report.blocks().stream().mapToDouble(BlockProgress::updates).sum();
    }

    /** Takes what the daemon had recorded last, if that is newer; it says nothing of the rate. */
    void recorded(DaemonReport last) {
        if (iterations(last) > iterations()) {
            report = last;
        }
    }

    /** Takes a newer report. */
    void take(DaemonReport next, Function<WorkerId, String> names, long now) {
        long before = iterations();
        report = next;
        if (reportedAt != 0 && now > reportedAt) {
            // A block that has moved away takes its iterations along.
            double latest = Math.max(0, iterations() - before) * 1e9 / (now - reportedAt);
            double weight = Math.min(1, (now - reportedAt) / SMOOTHING_NANOS);
            rate = rate == 0 ? latest : rate + weight * (latest - rate);
        }
        reportedAt = now;
        backups = report.blocks().stream()
                .flatMap(block -> block.backup().stream())
                .flatMap(backup -> backup.holders().stream())
                .map(names)
                .distinct()
                .sorted()
                .toList();
    }

    DaemonReport report() {
        return report;
    }

    List<BlockProgress> blocks() {
        return report.blocks();
    }

    /** Iterations per second. */
    double rate() {
        return rate;
    }

    /** Workers that hold backups of its blocks, by name. */
    List<String> backups() {
        return backups;
    }
}
