// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import java.util.Comparator;

/** Orders pod names by the part before the last dash, then by the number after it: {@code d-2} before {@code d-10}. */
final class SerialOrder implements Comparator<String> {
    @Override
    public int compare(String a, String b) {
        int byStem = stem(a).compareTo(stem(b));
        int byLength = Integer.compare(a.length(), b.length());
        return byStem != 0 ? byStem : byLength != 0 ? byLength : a.compareTo(b);
    }

    private static String stem(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('-')));
    }
}
