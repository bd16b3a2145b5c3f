// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

/** What is broken in a scenario. */
public enum InjectedFault {
    /** Nothing. */
    NONE,
    /** The iteration of one block yields NaN after a while. */
    NAN_IN_ITERATION,
    /** The residual of one block is NaN. */
    NAN_IN_RESIDUAL,
    /** One block cannot be opened. */
    CANNOT_OPEN,
    /** The result sink refuses one part. */
    CANNOT_STORE,
    /** The result cannot be assembled. */
    CANNOT_ASSEMBLE,
    /** One daemon's control link carries nothing for 1 s. */
    LINK_STUCK_FOR_A_WHILE,
    /** One daemon's control link carries nothing from 60 ms on. */
    LINK_STUCK_FOREVER,
    /** One edge carries no halos at all; recorded halos pass. */
    DEAF_EDGE,
    /** One daemon never starts. */
    DAEMON_MISSING,
    /** The store of the first standby never finds the others. */
    COLD_STORE,
    /** Every second answer to a search for a copy is slow. */
    SLOW_HOLDERS,
    /** A daemon that restores a block meets the holders of its backups after a while only. */
    LATE_HOLDERS,
    /** No search for a backup ends in time: blocks start without theirs, which arrive later. */
    LATE_BACKUPS,
    /** As before, much later, and until then a block that is restored cannot read the parts of committed steps either. */
    LATE_BACKUPS_AND_PARTS,
    /** Parts are fetched in pieces, which takes a while; some pieces fail, and the transfer goes on with another holder. */
    FETCHES_IN_PIECES,
    /** No spawner takes the first parts in time; none refuses them. */
    STORES_TIME_OUT,
    /** The volume takes no checkpoint for a while, from the second one on. */
    VOLUME_OUTAGE,
    /** A block that is restored gets the oldest copy that is left. */
    OLD_BACKUPS,
    /** A block that is restored is open after seconds only. */
    SLOW_REPLACEMENT
}
