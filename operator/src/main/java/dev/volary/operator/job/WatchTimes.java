package dev.volary.operator.job;

import dev.volary.crd.SpecTime;
import dev.volary.crd.api.FailureDetectionSpec;
import dev.volary.protocol.watch.WatchConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What {@code spec.failureDetection.timeout} means. */
public final class WatchTimes {
    private WatchTimes() {}

    /**
     * The silence after which a worker is taken for dead.
     *
     * @throws IllegalArgumentException if the text is no duration
     */
    public static Duration timeout(FailureDetectionSpec spec) {
        @Nullable String text = spec.timeout();
        if (text != null && !text.isEmpty()) {
            return SpecTime.of("spec.failureDetection.timeout", text);
        }
        return spec.strategy() == FailureDetectionSpec.Strategy.RandomMonitors
                ? WatchConfig.phoenix().timeout()
                : WatchConfig.standard().timeout();
    }
}
