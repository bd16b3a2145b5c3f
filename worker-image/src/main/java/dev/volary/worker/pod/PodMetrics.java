// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.model.FailureVerdict;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The core series of a worker. Few labels: which job and pod it is, the scrape knows. Safe for use by several threads. */
public final class PodMetrics {
    /** The media type of {@link #write}. */
    public static final String TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
    private final Gauge residual = Gauge.builder()
            .name("volary_certified_residual")
            .help("Newest certified residual, absolute, in the norm of the problem; only at the leader.")
            .register(registry);
    private final Counter snapshots = Counter.builder()
            .name("volary_snapshots_total")
            .help("Snapshots closed by this leader.")
            .register(registry);
    private final Gauge tolerance = Gauge.builder()
            .name("volary_tolerance")
            .help("What the certified residual must not exceed, absolute.")
            .register(registry);
    private final Counter iterations = Counter.builder()
            .name("volary_iterations_total")
            .help("Iterations of this daemon's blocks.")
            .register(registry);
    private final Gauge haloAge = Gauge.builder()
            .name("volary_halo_age_seconds")
            .help("Age of the oldest halo in use by this daemon.")
            .register(registry);
    private final Gauge blocks = Gauge.builder()
            .name("volary_blocks")
            .help("Blocks that this daemon serves.")
            .register(registry);
    private final Counter replacements = Counter.builder()
            .name("volary_replacements_total")
            .help("Blocks that this spawner's group has lost with their daemons, by what happened to those.")
            .labelNames("cause")
            .register(registry);
    private final Histogram recovery = Histogram.builder()
            .name("volary_recovery_seconds")
            .help("From the last message of a lost daemon until its block iterates again.")
            .classicOnly()
            .classicUpperBounds(0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)
            .register(registry);
    private final Gauge backups = Gauge.builder()
            .name("volary_backups_in_force")
            .help("Copies of each block that this spawner's group can hold now; NaN where there is no such group.")
            .register(registry);
    private final Counter refusedMessages = Counter.builder()
            .name("volary_refused_messages_total")
            .help("Messages of other workers that this one refused, because their senders' role may not send them.")
            .register(registry);
    private final Map<Integer, Long> seen = new HashMap<>();

    public PodMetrics() {
        for (FailureVerdict.Cause cause : FailureVerdict.Cause.values()) {
            replacements.initLabelValues(label(cause));
        }
        residual.set(Double.POSITIVE_INFINITY);
        backups.set(Double.NaN); // a minimum over all workers passes over it
    }

    /** The absolute tolerance of the job. */
    public void tolerance(double absolute) {
        tolerance.set(absolute);
    }

    /** Something happened to the job. */
    public void event(JobEvent event) {
        switch (event) {
            case JobEvent.SnapshotClosed closed -> {
                residual.set(closed.residual());
                snapshots.inc();
            }
            case JobEvent.DaemonLost lost ->
                replacements.labelValues(label(lost.cause())).inc(lost.blocks().size());
            case JobEvent.DaemonLeaving leaves ->
                replacements
                        .labelValues(label(FailureVerdict.Cause.LEFT))
                        .inc(leaves.blocks().size());
            default -> {}
        }
    }

    /** A lost block iterates again. */
    public void recovered(double seconds) {
        recovery.observe(seconds);
    }

    /** A message of another worker was refused. */
    public void messageRefused() {
        refusedMessages.inc();
    }

    /** Copies of each block that the group can hold. */
    public void backups(int copies) {
        backups.set(copies);
    }

    /** Takes the progress of this daemon's blocks. */
    public synchronized void sampled(List<BlockProgress> samples) {
        double oldest = 0;
        for (BlockProgress block : samples) {
            long before = seen.getOrDefault(block.block(), 0L);
            // A block that starts again, or was served elsewhere meanwhile, counts from where it is.
            iterations.inc(Math.max(0, block.iteration() - before));
            seen.put(block.block(), block.iteration());
            oldest = Math.max(oldest, block.haloAgeNanos() / 1e9);
        }
        seen.keySet().removeIf(id -> samples.stream().noneMatch(block -> block.block() == id));
        haloAge.set(oldest);
        blocks.set(samples.size());
    }

    /** All series in the text format. */
    public void write(OutputStream out) throws IOException {
        writer.write(out, registry.scrape());
    }

    private static String label(FailureVerdict.Cause cause) {
        return cause.name().toLowerCase(Locale.ROOT);
    }
}
