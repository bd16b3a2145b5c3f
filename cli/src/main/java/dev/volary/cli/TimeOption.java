// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** A time as an option's value: {@code 10ms}, {@code 0.5s}, {@code 2m}. */
public final class TimeOption {
    private TimeOption() {}

    /**
     * Reads a time.
     *
     * @throws UsageException if it is no time or negative
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
            // Refused below, as a negative one is.
        }
        throw new UsageException(option + " is " + text + ", not a time; write it as 10ms or 0.5s");
    }

    /**
     * Reads a time that is not nothing.
     *
     * @throws UsageException if it is no time, negative or zero
     */
    public static Duration positive(String option, String text) throws UsageException {
        Duration time = parse(option, text);
        if (time.isZero()) {
            throw new UsageException(option + " is " + text + ", must be longer than nothing");
        }
        return time;
    }
}
