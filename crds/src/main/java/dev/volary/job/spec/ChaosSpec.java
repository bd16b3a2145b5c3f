// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** For rehearsals: whether faults may be injected, and how slowly the job computes. */
public record ChaosSpec(
        @Default("false") @JsonPropertyDescription("Let `volary kill` end workers of this job.")
        Boolean allowed,

        @Size(max = 12) @JsonPropertyDescription(
                "Least duration of an iteration, such as 20ms: the job then lasts about as long on every machine, at"
                        + " little processor time. Left out: as fast as it can.")
        @ValidationRule(
                value = "self" + CelRules.DURATION
                        + " && duration(self) >= duration('1ms') && duration(self) <= duration('1h')",
                messageExpression =
                        "'spec.chaos.pace is \"%s\", must be a duration from 1ms to 1h; write it as 20ms or 1s'.format([self])")
        @Nullable String pace) {

    public ChaosSpec {
        allowed = Defaults.of(allowed, ChaosSpec.class, "allowed");
    }

    /** The least duration of an iteration; none if it is not limited. */
    public Optional<Duration> paceDuration() {
        return Optional.ofNullable(pace).map(given -> SpecDuration.of("spec.chaos.pace", given));
    }
}
