// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

/** Says how many daemons one spawner manages at most, and from that how many spawners a job needs. */
public final class GroupBound {
    /** Daemons of one group. */
    public static final int DAEMONS = 32;

    /** Spawners of a job with few daemons: with one, its loss costs time. */
    public static final int USUAL = 2;

    private GroupBound() {}

    /** The fewest spawners that can manage this number of daemons, standbys included. */
    public static int fewest(int daemons) {
        return Math.ceilDiv(daemons, DAEMONS);
    }

    /** The spawners of a job whose manifest does not give {@code spec.spawners.replicas}. */
    public static int usual(int daemons) {
        return Math.max(USUAL, fewest(daemons));
    }
}
