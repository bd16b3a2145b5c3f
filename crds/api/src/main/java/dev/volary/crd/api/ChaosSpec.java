package dev.volary.crd.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;

/** Whether faults may be injected. */
public record ChaosSpec(
        @Default("false") @JsonPropertyDescription("Let `volary kill` end workers of this job.")
        Boolean allowed) {

    static final ChaosSpec DEFAULT = new ChaosSpec(false);

    public ChaosSpec {
        allowed = Defaults.of(allowed, false);
    }
}
