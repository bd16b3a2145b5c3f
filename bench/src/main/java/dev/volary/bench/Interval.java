// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The median of independent measurements and the narrowest pair of order statistics around it that holds the true median with
 * a confidence of at least 95 %, by the binomial distribution of how many fall below it (the sign test turned round). With
 * fewer than six measurements no pair does, and the range stands for it.
 */
record Interval(double low, double median, double high, int count) {
    private static final double CONFIDENCE = 0.95;

    static Interval of(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int n = sorted.length;
        double median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
        int outside = 0; // values that may lie outside on each side
        double tail = Math.pow(0.5, n);
        double next = tail;
        for (int k = 0; 2 * tail <= 1 - CONFIDENCE && k < n / 2; k++) {
            outside = k;
            next *= (double) (n - k) / (k + 1);
            tail += next;
        }
        return new Interval(sorted[outside], median, sorted[n - 1 - outside], n);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%.4f (95 %% within %.4f to %.4f, %d measurements)", median, low, high, count);
    }
}
