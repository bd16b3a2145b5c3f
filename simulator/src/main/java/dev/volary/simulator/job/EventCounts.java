// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.JobEvent;

/** Counts what happened in a run, for its report. */
final class EventCounts {
    int snapshots;
    int stalls;
    int lostDaemons;
    int reassignedBlocks;
    int leaders;
    int withdrawals;
    /** Iterations of all blocks. */
    long iterations;
    /** Times that a message of a stale process was refused. */
    int fenced;
    /** Control messages that a full link refused. */
    int refused;

    /** The leader or a group owner has emitted an event. */
    void eventEmitted(JobEvent event) {
        switch (event) {
            case JobEvent.SnapshotClosed closed -> snapshots++;
            case JobEvent.LocallyStalled stalled -> stalls++;
            case JobEvent.DaemonLost lost -> lostDaemons++;
            case JobEvent.BlocksReassigned moved ->
                reassignedBlocks += moved.blocks().size();
            case JobEvent.LeaderElected elected -> leaders++;
            case JobEvent.VerdictWithdrawn withdrawn -> withdrawals++;
            default -> {
                // The report has no number for it.
            }
        }
    }
}
