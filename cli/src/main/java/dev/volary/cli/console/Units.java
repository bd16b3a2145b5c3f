// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.console;

import java.time.Duration;
import java.util.Locale;

/** Formats numbers for people. */
public final class Units {
    private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    private static final String[] METRIC = {"", " k", " M", " G", " T", " P"};

    private Units() {}

    /** Formats bytes in powers of 1024: {@code 1.5 KiB}. */
    public static String bytes(long bytes) {
        int step = step((double) bytes, 1024, BINARY.length);
        double value = (double) bytes / Math.pow(1024, step);
        return String.format(Locale.ROOT, step == 0 || value >= 100 ? "%.0f %s" : "%.1f %s", value, BINARY[step]);
    }

    /** Formats a count in powers of 1000: {@code 1.25 M}. */
    public static String count(double count) {
        int step = step(count, 1000, METRIC.length);
        double value = count / Math.pow(1000, step);
        if (step == 0) {
            return String.format(Locale.ROOT, count == Math.rint(count) ? "%.0f" : "%.1f", value);
        }
        return String.format(
                Locale.ROOT, value >= 100 ? "%.0f%s" : value >= 10 ? "%.1f%s" : "%.2f%s", value, METRIC[step]);
    }

    /** Formats a count in powers of 1000: {@code 1.25 M}. */
    public static String count(long count) {
        return count((double) count);
    }

    /** Formats a whole number with all its digits, in groups of three: {@code 1 048 576}. */
    public static String grouped(long number) {
        String digits = Long.toString(Math.abs(number));
        StringBuilder text = new StringBuilder(number < 0 ? "-" : "");
        for (int i = 0; i < digits.length(); i++) {
            int rest = digits.length() - i;
            text.append(i > 0 && rest % 3 == 0 && digits.length() > 4 ? " " : "")
                    .append(digits.charAt(i));
        }
        return text.toString();
    }

    /** Formats a residual or tolerance with three digits: {@code 1.23e-07}. */
    public static String small(double value) {
        return value == 0 ? "0" : String.format(Locale.ROOT, "%.2e", value);
    }

    /** Formats a duration: {@code 850 ms}, {@code 12.3 s}, {@code 4 min 05 s}, {@code 2 h 03 min}. */
    public static String time(Duration time) {
        long millis = time.toMillis();
        if (millis < 1000) {
            return millis + " ms";
        }
        if (millis < 100_000) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
        }
        return millis < 3_600_000
                ? String.format(Locale.ROOT, "%d min %02d s", millis / 60_000, millis / 1000 % 60)
                : String.format(Locale.ROOT, "%d h %02d min", millis / 3_600_000, millis / 60_000 % 60);
    }

    private static int step(double value, double base, int steps) {
        int step = 0;
        while (step + 1 < steps && Math.abs(value) / Math.pow(base, step) >= base) {
            step++;
        }
        return step;
    }

    /** In whole seconds, minutes or hours: it is a guess. */
    public static String roughly(Duration left) {
        long seconds = Math.max(1, Math.round(left.toNanos() / 1e9));
        if (seconds < 100) {
            return seconds + " s";
        }
        long minutes = Math.round(seconds / 60.0);
        return minutes < 100 ? minutes + " min" : Math.round(seconds / 3600.0) + " h";
    }
}
