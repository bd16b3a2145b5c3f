// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Map;

/**
 * Who sends heartbeats to whom, which signs of life count, and when a suspicion becomes a verdict. Each member has its own; all
 * members of a group have the same kind.
 */
abstract sealed class MonitoringStrategy permits Centralized, RandomMonitors, Ring, RingWithConfirmation {
    final FailureDetectorConfig config;

    MonitoringStrategy(FailureDetectorConfig config) {
        this.config = config;
    }

    static MonitoringStrategy of(FailureDetectorConfig config) {
        return switch (config.strategy()) {
            case RING_WITH_CONFIRMATION -> new RingWithConfirmation(config);
            case RING -> new Ring(config);
            case CENTRALISED -> new Centralized(config);
            case RANDOM_MONITORS -> new RandomMonitors(config);
        };
    }

    // ---- monitors --------------------------------------------------------------------------------------------------

    /** The members that this one needs to know. */
    List<WatchedMember> relevant(MemberList members, WorkerId self) {
        return members.members();
    }

    /** Who gets a heartbeat of this member each period. */
    abstract List<WorkerId> watchers(MembershipView group);

    /** Who gets a rare heartbeat of this member, in case that all its watchers are lost; may repeat its watchers. */
    List<WorkerId> insurers(MembershipView group) {
        return List.of();
    }

    /** The members that this one monitors, and the nanoseconds between two of their heartbeats. */
    abstract Map<WorkerId, Long> duties(MembershipView group);

    /** The members that monitor another one, as far as all can know. */
    List<WorkerId> watchersOf(WorkerId member, HeartbeatRing ring) {
        return List.of();
    }

    /** Whether a member that this one need not monitor any longer is monitored until its next message arrives. */
    boolean releasesAfterNextMessage() {
        return false;
    }

    // ---- signs of life ---------------------------------------------------------------------------------------------

    /** Whether other control traffic that was sent replaces a heartbeat, received or not. */
    boolean sentTrafficReplacesHeartbeat() {
        return false;
    }

    /** Whether other control traffic replaces a heartbeat once it is acknowledged. */
    boolean acknowledgedTrafficReplacesHeartbeat() {
        return false;
    }

    /** Whether a reset connection is a reason to suspect. */
    boolean usesConnectionResets() {
        return false;
    }

    /** Whether a hint of the platform is a reason to suspect. */
    boolean usesPlatformHints() {
        return false;
    }

    /** Whether this member notices that its process was paused, and does not count the pause as the others' silence. */
    boolean compensatesOwnPauses() {
        return false;
    }

    /** How much longer a member may be silent, in nanoseconds, whose wake-ups come this many nanoseconds late. */
    long allowanceNanos(long delayNanos) {
        return 0;
    }

    // ---- suspicions ------------------------------------------------------------------------------------------------

    /** The silence, in nanoseconds, after which a watcher suspects a member whose heartbeats come at this interval. */
    long suspectNanos(long interval) {
        return config.timeout().toNanos();
    }

    /** Whether late members are probed, and suspicions confirmed by others. */
    boolean confirmsSuspicions() {
        return false;
    }

    /** Whether the silence of a suspect is certain; asks others if it must. */
    abstract boolean isCertain(OpenSuspicion open, SuspicionTable suspicions, Turn turn);
}
