// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Where the result goes. */
@ValidationRule(
        value = "(self.destination == 'Volume') == has(self.volume)",
        messageExpression =
                "'spec.result.destination is %s%s'.format([self.destination, has(self.volume) ? ', which uses no volume; remove spec.result.volume or set destination: Volume' : ', but spec.result.volume is missing; name a claim there'])")
public record ResultSpec(
        @Default("Lead")
        @JsonPropertyDescription(
                "Lead: streamed to the lead spawner, from where `volary fetch` brings it home. Volume: written"
                        + " to spec.result.volume. Local: the output folder of a local run; on a cluster the same as Lead.")
        Destination destination,

        @JsonPropertyDescription("The volume, for destination Volume.") @Nullable VolumeSpec volume) {

    public ResultSpec {
        destination = Defaults.of(destination, ResultSpec.class, "destination");
    }

    /** A place for results. */
    public enum Destination {
        /** Streamed to the leader. */
        Lead,
        /** A volume. */
        Volume,
        /** The output folder of a local run. */
        Local
    }
}
