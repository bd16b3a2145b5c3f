package dev.volary.worker;

import dev.volary.mesh.v1.FailureDetection;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.protocol.watch.Strategy;
import dev.volary.protocol.watch.WatchConfig;
import java.time.Duration;

/** How the workers of a job watch each other, out of its description. */
final class Watches {
    private Watches() {}

    /** The standard way if the description gives none. */
    static WatchConfig of(JobDescription job) {
        if (!job.hasFailureDetection()) {
            return WatchConfig.standard();
        }
        FailureDetection given = job.getFailureDetection();
        Strategy strategy =
                switch (given.getStrategy()) {
                    case WATCH_STRATEGY_RING -> Strategy.RING;
                    case WATCH_STRATEGY_RANDOM_MONITORS -> Strategy.RANDOM_MONITORS;
                    case WATCH_STRATEGY_RING_WITH_CONFIRMATION -> Strategy.RING_WITH_CONFIRMATION;
                    case WATCH_STRATEGY_CENTRALISED -> Strategy.CENTRALISED;
                    case WATCH_STRATEGY_UNSPECIFIED, UNRECOGNIZED ->
                        throw new IllegalArgumentException("failure_detection.strategy is " + given.getStrategy()
                                + ", must be one of those listed; use matching versions");
                };
        return WatchConfig.of(strategy, given.getWatchers(), Duration.ofMillis(given.getTimeoutMillis()));
    }
}
