// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

import java.util.Comparator;

/**
 * Term of a group's owner. A spawner that takes a group over uses the highest {@code n} it knows plus one; ties go to the
 * higher id, so groups can change hands while the arbiter is away.
 *
 * @param n grows with each takeover, from 1
 * @param owner the spawner that owns the group
 */
public record GroupTerm(long n, WorkerId owner) implements Comparable<GroupTerm> {
    private static final Comparator<GroupTerm> ORDER =
            Comparator.comparingLong(GroupTerm::n).thenComparing(GroupTerm::owner);

    @Override
    public int compareTo(GroupTerm other) {
        return ORDER.compare(this, other);
    }
}
