// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;

/** How often to try again. */
public record FailurePolicySpec(
        @Default("6")
        @Min(0) @Max(1_000_000) @JsonPropertyDescription(
                "Failures of workers after which the job fails. Disruptions (evictions, lost or drained"
                        + " machines) never count.")
        Integer maxRetries,

        @Default("3")
        @Min(1) @Max(1_000_000) @JsonPropertyDescription(
                "Failures of one block without progress, each on another daemon, after which the job fails."
                        + " Immutable.")
        @ValidationRule(
                value = "self == oldSelf",
                messageExpression = "'spec.failurePolicy.blockAttempts is %s, was %s; " + CelRules.KEEP
                        + ".format([self, oldSelf])")
        Integer blockAttempts) {

    public FailurePolicySpec {
        maxRetries = Defaults.of(maxRetries, FailurePolicySpec.class, "maxRetries");
        blockAttempts = Defaults.of(blockAttempts, FailurePolicySpec.class, "blockAttempts");
    }
}
