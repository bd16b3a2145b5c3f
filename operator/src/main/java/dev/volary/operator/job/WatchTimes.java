package dev.volary.operator.job;

import dev.volary.crd.api.FailureDetectionSpec;
import dev.volary.protocol.watch.WatchConfig;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What {@code spec.failureDetection.timeout} means. */
public final class WatchTimes {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    private WatchTimes() {}

    /**
     * The silence after which a worker is taken for dead.
     *
     * @throws IllegalArgumentException if the text is no duration
     */
    public static Duration timeout(FailureDetectionSpec spec) {
        @Nullable String text = spec.timeout();
        if (text == null || text.isEmpty()) {
            return spec.strategy() == FailureDetectionSpec.Strategy.RandomMonitors
                    ? WatchConfig.phoenix().timeout()
                    : WatchConfig.standard().timeout();
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("spec.failureDetection.timeout is \"" + text
                    + "\", not a duration; write one such as 500ms, 2s or 1m");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }
}
