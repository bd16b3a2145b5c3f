package dev.volary.crd.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** For rehearsals: whether faults may be injected, and how slowly the job computes. */
public record ChaosSpec(
        @Default("false") @JsonPropertyDescription("Let `volary kill` end workers of this job.")
        Boolean allowed,

        @Size(max = 12) @JsonPropertyDescription(
                "Least duration of an iteration, such as 20ms: the job then lasts about as long on every machine, at"
                        + " little processor time. Left out: as fast as it can.")
        @ValidationRule(
                value = "self" + Rules.DURATION
                        + " && duration(self) >= duration('1ms') && duration(self) <= duration('1h')",
                messageExpression =
                        "'spec.chaos.pace is \"%s\", must be a duration from 1ms to 1h; write it as 20ms or 1s'.format([self])")
        @Nullable String pace) {

    static final ChaosSpec DEFAULT = new ChaosSpec(false, null);

    public ChaosSpec {
        allowed = Defaults.of(allowed, false);
    }
}
