// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.rollback;

import dev.volary.protocol.model.CheckpointGeneration;
import java.util.Collection;
import java.util.List;

/** Wrong ways back, to see that the simulator's checker catches them. */
public final class PlantedRollbacks {
    private PlantedRollbacks() {}

    /** Goes back to the newest checkpoint that any block can restore, durable everywhere or not. */
    public static RollbackRules newestOfAny() {
        return new RollbackRules() {
            @Override
            public List<CheckpointGeneration> common(Collection<List<CheckpointGeneration>> held) {
                return held.stream().flatMap(List::stream).distinct().toList();
            }
        };
    }
}
