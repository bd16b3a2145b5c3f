// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

import java.util.Comparator;

/**
 * Fencing number of an assignment of a block to a daemon. Of two owners in a partition the higher term wins, so a partition
 * can only waste work.
 *
 * @param term the group's term at the time of the assignment
 * @param counter grows within the term, from 1
 */
public record Incarnation(GroupTerm term, int counter) implements Comparable<Incarnation> {
    private static final Comparator<Incarnation> ORDER =
            Comparator.comparing(Incarnation::term).thenComparingInt(Incarnation::counter);

    @Override
    public int compareTo(Incarnation other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return term.n() + "." + counter;
    }
}
