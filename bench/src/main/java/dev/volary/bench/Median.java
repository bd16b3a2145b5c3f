// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Median and range of a few measurements. */
public record Median(double low, double median, double high) {

    /** Of at least one value. */
    public static Median of(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int n = sorted.length;
        double median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
        return new Median(sorted[0], median, sorted[n - 1]);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.3f (%.3f to %.3f)", median, low, high);
    }
}
