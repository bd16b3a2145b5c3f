// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.manifest;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what a user probably meant. */
public final class NearestName {
    private NearestName() {}

    /**
     * The known name nearest to {@code given}, if it is near enough to be a slip of the keys: an edit distance of at most a
     * third of the length, ignoring case.
     */
    public static Optional<String> of(String given, Collection<String> known) {
        int limit = Math.max(1, (given.length() + 2) / 3);
        return known.stream()
                .filter(name -> distance(given, name) <= limit)
                .min(Comparator.comparingInt((String name) -> distance(given, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** The remedy for a name that is none of the known ones. */
    public static String remedy(String given, Collection<String> known) {
        String near =
                of(given, known).map(name -> "did you mean " + name + "? ").orElse("");
        return near + "use one of " + String.join(", ", known);
    }

    /** Insertions, deletions, replacements and swaps of neighboring letters that turn one name into the other. */
    static int distance(String left, String right) {
        String a = left.toLowerCase(Locale.ROOT);
        String b = right.toLowerCase(Locale.ROOT);
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                d[i][j] = i == 0 || j == 0 ? i + j : step(a, b, i, j, d);
            }
        }
        return d[a.length()][b.length()];
    }

    private static int step(String a, String b, int i, int j, int[][] d) {
        int replace = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replace, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, d[i - 2][j - 2] + 1) : best;
    }
}
