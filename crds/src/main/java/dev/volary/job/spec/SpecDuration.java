// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Kubernetes writes them, with one unit: 500ms, 2s, 5m, 1h. */
public final class SpecDuration {
    private static final Pattern FORM = Pattern.compile("(\\d{1,6})(ms|s|m|h)");

    private SpecDuration() {}

    /** Reads a duration; empty if the text is none. */
    public static Optional<Duration> read(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(matcher.group(1));
        return Optional.of(
                switch (matcher.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    default -> Duration.ofHours(amount);
                });
    }

    /**
     * Reads a duration that the API server has accepted.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static Duration of(String field, String text) {
        return read(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        field + " is \"" + text + "\", not a duration; write one such as 500ms, 2s or 1m"));
    }
}
