// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.model.WorkerId;

/** Watches that follow wrong rules, to see that the simulator's checker catches them. */
public final class PlantedWatches {
    private PlantedWatches() {}

    /** Takes the first accuser's word. */
    public static FailureDetector withoutConfirmation(WorkerId self, FailureDetectorConfig config, long seed) {
        return new FailureDetector(self, config, seed, new RingWithConfirmation(config) {
            @Override
            boolean isCertain(OpenSuspicion open, SuspicionTable suspicions, Turn turn) {
                return true;
            }
        });
    }

    /** Takes its own pause for the silence of others. */
    public static FailureDetector thatIgnoresItsPauses(WorkerId self, FailureDetectorConfig config, long seed) {
        return new FailureDetector(self, config, seed, new RingWithConfirmation(config) {
            @Override
            long ownPause(long waited, long late) {
                return 0;
            }
        });
    }

    /** Sends a suspicion once. */
    public static FailureDetector thatDoesNotRepeat(WorkerId self, FailureDetectorConfig config, long seed) {
        return new FailureDetector(self, config, seed, new RingWithConfirmation(config) {
            @Override
            boolean repeatsSuspicions() {
                return false;
            }
        });
    }

    /** Leaves heartbeats out when other traffic was sent, whether or not it arrived. */
    public static FailureDetector thatIsSparedBySending(WorkerId self, FailureDetectorConfig config, long seed) {
        return new FailureDetector(self, config, seed, new RingWithConfirmation(config) {
            @Override
            boolean sentTrafficReplacesHeartbeat() {
                return true;
            }
        });
    }
}
