// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.check;

import java.time.Duration;
import java.util.List;

/**
 * The failures of a simulated job's workers, and what they cost.
 *
 * @param daemonsKilled daemons that crashed
 * @param spawnersKilled spawners likewise
 * @param left daemons that were asked to leave
 * @param pauses workers that were stopped for a while
 * @param evicted workers that were evicted and restarted
 * @param declared daemons declared lost, those that left included
 * @param mistaken of those, daemons that lived at that time: stopped ones
 * @param detections from the end of a daemon to the verdict, ascending
 * @param standstills from the end of a block's daemon until the block had iterated again, ascending
 * @param byStandby blocks that went on in a daemon that had none
 * @param bySurvivor blocks that went on beside others of their new daemon
 * @param restored blocks that went on from a copy
 * @param begunAgain blocks that went on from their start values
 * @param parked times that a block had to wait for a daemon
 * @param takeovers groups that another spawner took over, in whole or in part
 * @param rollbacks times that all blocks rolled back together
 * @param lostIterations of all blocks
 */
public record FailureTotals(
        int daemonsKilled,
        int spawnersKilled,
        int left,
        int pauses,
        int evicted,
        int declared,
        int mistaken,
        List<Duration> detections,
        List<Duration> standstills,
        int byStandby,
        int bySurvivor,
        int restored,
        int begunAgain,
        int parked,
        int takeovers,
        int rollbacks,
        long lostIterations) {

    public FailureTotals {
        detections = detections.stream().sorted().toList();
        standstills = standstills.stream().sorted().toList();
    }
}
