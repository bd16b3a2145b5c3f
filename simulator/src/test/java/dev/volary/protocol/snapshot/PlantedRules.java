// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.RecordedBlock;

/** Wrong rules, to see that the simulator's checker catches them. */
public final class PlantedRules {
    private PlantedRules() {}

    /** Takes every part, whatever it used. */
    public static SnapshotRules withoutHashCheck() {
        return new SnapshotRules() {
            @Override
            public boolean same(RecordedBlock used, RecordedBlock own) {
                return true;
            }
        };
    }

    /** Takes one stored part for all. */
    public static SnapshotRules firstPartIsEnough() {
        return new SnapshotRules() {
            @Override
            public boolean durable(int stored, int parts) {
                return stored > 0;
            }

            @Override
            public boolean asEvaluated(long evaluated, long stored) {
                return true;
            }
        };
    }

    /** Takes parts of incarnations that serve no longer, and goes on when their records are lost. */
    public static SnapshotRules anyIncarnation() {
        return new SnapshotRules() {
            @Override
            public boolean current(Incarnation recorded, Incarnation serving) {
                return true;
            }

            @Override
            public boolean survives(boolean theirPartsAreDurable) {
                return true;
            }
        };
    }
}
