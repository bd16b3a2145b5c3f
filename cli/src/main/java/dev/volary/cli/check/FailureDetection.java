package dev.volary.cli.check;

import dev.volary.crd.FailureDetectionSpec;
import dev.volary.crd.JobSpec;
import dev.volary.protocol.watch.Strategy;
import dev.volary.protocol.watch.WatchConfig;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** What {@code spec.failureDetection} means for the workers. */
public final class FailureDetection {
    /** With more than this many workers for each processor of a machine, all of them are silent for seconds while a job starts. */
    private static final int WORKERS_PER_PROCESSOR = 4;

    private FailureDetection() {}

    /**
     * How workers watch each other that share one machine: where they crowd, the time-out grows with their number, unless the
     * manifest has one.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public static WatchConfig onOneMachine(JobSpec spec, int processors) {
        int workers = spec.daemons().replicas() + spec.daemons().standbys() + spec.spawnerCount();
        return of(spec.failureDetection(), Math.max(1, (double) workers / (WORKERS_PER_PROCESSOR * processors)));
    }

    /**
     * How workers watch each other that have a machine each.
     *
     * @throws IllegalArgumentException if the fields do not fit together; begins with the field, below
     *     {@code spec.failureDetection}
     */
    public static WatchConfig of(Optional<FailureDetectionSpec> given) {
        return of(given, 1);
    }

    private static WatchConfig of(Optional<FailureDetectionSpec> given, double slowness) {
        FailureDetectionSpec spec = given.orElse(FailureDetectionSpec.STANDARD);
        Strategy strategy =
                switch (spec.strategy()) {
                    case Ring -> Strategy.RING;
                    case RandomMonitors -> Strategy.RANDOM_MONITORS;
                    case RingWithConfirmation -> Strategy.RING_WITH_CONFIRMATION;
                    case Centralised -> Strategy.CENTRALISED;
                };
        Duration standard = strategy == Strategy.RANDOM_MONITORS
                ? WatchConfig.phoenix().timeout()
                : WatchConfig.standard().timeout();
        Duration timeout = spec.timeout().orElse(Duration.ofMillis(Math.round(standard.toMillis() * slowness)));
        Duration heartbeat = WatchConfig.phoenix().heartbeat();
        if (strategy == Strategy.RANDOM_MONITORS && heartbeat.compareTo(timeout) > 0) {
            throw new IllegalArgumentException("timeout is " + text(timeout) + ", shorter than the heartbeat period "
                    + text(heartbeat) + " of RandomMonitors: every worker would be suspected; make it "
                    + text(heartbeat) + " or longer, or choose RingWithConfirmation");
        }
        return WatchConfig.of(strategy, spec.watchers(), timeout);
    }

    private static String text(Duration duration) {
        long millis = duration.toMillis();
        return millis % 1000 == 0
                ? String.format(Locale.ROOT, "%ds", millis / 1000)
                : String.format(Locale.ROOT, "%dms", millis);
    }
}
