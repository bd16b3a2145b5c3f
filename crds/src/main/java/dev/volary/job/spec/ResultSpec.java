// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Where the result goes. */
@ValidationRule(
        value = "(self.destination == 'Volume') == has(self.volume)",
        messageExpression =
                "'spec.result.destination is %s%s'.format([self.destination, has(self.volume) ? ', which uses no volume; remove spec.result.volume or set destination: Volume' : ', but spec.result.volume is missing; name a claim there'])")
@ValidationRule(
        value = "(self.destination == 'ObjectStore') == has(self.objectStore)",
        messageExpression =
                "'spec.result.destination is %s%s'.format([self.destination, has(self.objectStore) ? ', which uses no object store; remove spec.result.objectStore or set destination: ObjectStore' : ', but spec.result.objectStore is missing; name a bucket there'])")
public record ResultSpec(
        @Default("Lead")
        @JsonPropertyDescription(
                "Lead: two spawners hold it until `volary fetch` has downloaded it. Volume: written to spec.result.volume"
                        + " before the job ends. ObjectStore: written to spec.result.objectStore before the job ends. Local: the"
                        + " output folder of a local run; on a cluster the same as Lead.")
        Destination destination,

        @JsonPropertyDescription("The volume, for destination Volume.") @Nullable VolumeSpec volume,

        @JsonPropertyDescription("The object store, for destination ObjectStore.") @Nullable ObjectStoreSpec objectStore,

        @Min(1) @Max(1_000_000) @JsonPropertyDescription(
                "The result has every n-th time step, and the last one, along a dimension of time; only the last one if left out."
                        + " For problems with time steps; on a cluster with destination Volume or ObjectStore, where each step is written when it"
                        + " is committed.")
        @Nullable Integer everySteps) {

    public ResultSpec {
        destination = Defaults.of(destination, ResultSpec.class, "destination");
    }

    /** A place for results. */
    public enum Destination {
        /** Spawners. */
        Lead,
        /** A volume. */
        Volume,
        /** An object store. */
        ObjectStore,
        /** The output folder of a local run. */
        Local
    }
}
