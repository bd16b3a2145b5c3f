// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.Map;

/** What is solved. */
public record ProblemSpec(
        @Required
        @Size(min = 1, max = 63) @JsonPropertyDescription("Name of the problem, one of those that `volary problems` lists.")
        String type,

        @PreserveUnknownFields
        @JsonPropertyDescription(
                "The problem's parameters; `volary problems TYPE` lists them. Unknown or bad ones are reported"
                        + " in the job's conditions.")
        Map<String, Object> parameters) {

    public ProblemSpec {
        parameters = Defaults.map(parameters);
    }
}
