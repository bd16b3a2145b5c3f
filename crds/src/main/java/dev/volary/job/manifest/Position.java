// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.manifest;

import java.util.Comparator;

/**
 * A place in a text file; both numbers count from one.
 *
 * @param line the line
 * @param column the character within the line
 */
public record Position(int line, int column) implements Comparable<Position> {
    private static final Comparator<Position> ORDER =
            Comparator.comparingInt(Position::line).thenComparingInt(Position::column);

    @Override
    public int compareTo(Position other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return line + ":" + column;
    }
}
