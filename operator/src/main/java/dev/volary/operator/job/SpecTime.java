package dev.volary.operator.job;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as the fields of a spec have them: a whole number and one unit. */
public final class SpecTime {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    private SpecTime() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException if the text is none; the API server refuses such
     */
    public static Duration of(String field, String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    field + " is \"" + text + "\", not a duration; write one such as 500ms, 2s or 1m");
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
