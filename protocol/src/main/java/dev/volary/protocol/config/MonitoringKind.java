// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.config;

/** Which members monitor each other. */
public enum MonitoringKind {
    /** The ring of JACEP2P-V2: each member is monitored by its successor, whose suspicion is a verdict. */
    RING,
    /**
     * Phoenix: members send heartbeats to others drawn at random, every message counts, a suspicion can be refuted for a while.
     */
    RANDOM_MONITORS,
    /** Each member is monitored by several ring successors in other zones; a suspicion is confirmed by others first. */
    RING_WITH_CONFIRMATION,
    /** JACEP2P version 1: all members send heartbeats to the owner, which no member monitors. For comparison only. */
    CENTRALISED
}
