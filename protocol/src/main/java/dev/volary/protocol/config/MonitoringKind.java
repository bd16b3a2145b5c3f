// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.config;

/** Who watches whom. */
public enum MonitoringKind {
    /** The ring of JACEP2P-V2: each member is watched by its successor, whose word is final. */
    RING,
    /** Phoenix: members beat to others drawn at random, every message counts, a suspicion can be refuted for a while. */
    RANDOM_MONITORS,
    /** Each member is watched by several ring successors in other zones; a suspicion is confirmed by others first. */
    RING_WITH_CONFIRMATION,
    /** JACEP2P version 1: everybody beats to the owner, whom nobody watches. For comparison only. */
    CENTRALISED
}
