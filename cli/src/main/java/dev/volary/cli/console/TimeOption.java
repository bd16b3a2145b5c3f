// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.console;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Parses the values of options that are times: {@code 10ms}, {@code 0.5s}, {@code 2m}. */
public final class TimeOption {
    private TimeOption() {}

    /**
     * Parses a time; zero is accepted.
     *
     * @throws UsageException if {@code text} is not a time or is negative
     */
    public static Duration parse(String option, String text) throws UsageException {
        try {
            Duration duration = text.endsWith("ms")
                    ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                    : Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (NumberFormatException | DateTimeParseException notATime) {
            // rejected below, together with negative times
        }
        throw new UsageException(option + " is " + text + ", which is not a time; write it as 10ms or 0.5s");
    }

    /**
     * Parses a time longer than zero.
     *
     * @throws UsageException if {@code text} is not a time, or is negative or zero
     */
    public static Duration positive(String option, String text) throws UsageException {
        Duration time = parse(option, text);
        if (time.isZero()) {
            throw new UsageException(option + " is " + text + ", must be longer than zero; write it as 10ms or 0.5s");
        }
        return time;
    }
}
