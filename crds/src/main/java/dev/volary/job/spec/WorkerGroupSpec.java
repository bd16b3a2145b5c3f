// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import org.jspecify.annotations.Nullable;

/** A kind of machines that daemons run on. */
public record WorkerGroupSpec(
        @Required
        @Size(min = 1, max = 63) @JsonPropertyDescription("Name of the group, also the value of the pods' label volary.dev/worker-group.")
        @ValidationRule(
                value = CelRules.LABEL,
                messageExpression = "'name is \"%s" + CelRules.LABEL_REMEDY + ".format([self])")
        String name,

        @Default("0")
        @Min(-1_000_000) @Max(1_000_000) @JsonPropertyDescription("Daemons go to the group of the highest priority that is not full.")
        Integer priority,

        @Min(0) @Max(10_000) @JsonPropertyDescription("Most daemons in this group, standbys included; no limit if left out.")
        @Nullable Integer maxReplicas,

        @JsonPropertyDescription(Templates.GROUP) @Nullable PodTemplateSpec template) {

    public WorkerGroupSpec {
        priority = Defaults.of(priority, WorkerGroupSpec.class, "priority");
    }
}
