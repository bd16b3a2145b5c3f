// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.rollback;

import dev.volary.protocol.model.CheckpointGeneration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * To which checkpoint blocks go back. There is one set of rules; it is an object so that tests can plant wrong ones and see
 * them caught.
 */
public class RollbackRules {
    private static final RollbackRules STANDARD = new RollbackRules();

    RollbackRules() {}

    /** The rules. */
    public static RollbackRules standard() {
        return STANDARD;
    }

    /** What everybody can restore. */
    List<CheckpointGeneration> common(Collection<List<CheckpointGeneration>> held) {
        Set<CheckpointGeneration> common = new LinkedHashSet<>();
        boolean first = true;
        for (List<CheckpointGeneration> theirs : held) {
            if (first) {
                common.addAll(theirs);
            } else {
                common.retainAll(theirs);
            }
            first = false;
        }
        return List.copyOf(common);
    }

    /** The newest of those that all can restore; none if they must begin from the start. */
    final Optional<CheckpointGeneration> choose(Collection<List<CheckpointGeneration>> held) {
        return common(held).stream()
                .max(Comparator.comparingLong(CheckpointGeneration::iteration)
                        .thenComparingInt(CheckpointGeneration::epoch));
    }
}
