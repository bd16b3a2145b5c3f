package dev.volary.cli.check;

import dev.volary.crd.FailureDetectionSpec;
import dev.volary.protocol.watch.Strategy;
import dev.volary.protocol.watch.WatchConfig;
import java.time.Duration;
import java.util.Locale;

/** What {@code spec.failureDetection} means for the workers. */
public final class FailureDetection {
    private FailureDetection() {}

    /**
     * How workers watch each other.
     *
     * @throws IllegalArgumentException if the fields do not fit together; begins with the field, below
     *     {@code spec.failureDetection}
     */
    public static WatchConfig of(FailureDetectionSpec spec) {
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
        Duration timeout = spec.timeout().orElse(standard);
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
