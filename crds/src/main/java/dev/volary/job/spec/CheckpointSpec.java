// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** How the state is kept safe. */
@ValidationRule(
        value = "!has(self.volume) || !has(self.objectStore)",
        message = "spec.checkpoint has volume and objectStore; keep one of them")
public record CheckpointSpec(
        @Default("2")
        @Min(1) @Max(32) @JsonPropertyDescription("Copies of each block's state in the memory of other workers.")
        Integer copies,

        @Default("Auto")
        @Size(min = 1, max = 9) @JsonPropertyDescription(
                "Iterations between copies as a string, or Auto: from what a copy costs and how often workers"
                        + " fail.")
        @ValidationRule(
                value = "self == 'Auto' || self" + SpecPatterns.MATCHES + SpecPatterns.ITERATIONS + SpecPatterns.WHOLE,
                messageExpression =
                        "'spec.checkpoint.interval is \"%s\"; write Auto, or a number of iterations in quotes'.format([self])")
        String interval,

        @JsonPropertyDescription(
                "Where snapshots go as well, from all workers, the newest two are kept; suspending needs it, or objectStore.")
        @Nullable VolumeSpec volume,

        @JsonPropertyDescription("Where snapshots go instead of a volume.") @Nullable ObjectStoreSpec objectStore) {

    /** The interval that the runtime finds by measuring. */
    public static final String AUTO = "Auto";

    public CheckpointSpec {
        copies = Defaults.of(copies, CheckpointSpec.class, "copies");
        interval = Defaults.of(interval, CheckpointSpec.class, "interval");
    }

    /** Whether snapshots go to storage that outlives the workers. */
    public boolean hasStorage() {
        return volume != null || objectStore != null;
    }

    /** Iterations between copies; none for {@link #AUTO}. */
    public OptionalLong iterations() {
        return interval.equals(AUTO) ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(interval));
    }
}
