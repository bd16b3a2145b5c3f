// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import org.jspecify.annotations.Nullable;

/** The processes that manage the daemons. */
@ValidationRule(
        value =
                "has(self.replicas) ? has(oldSelf.replicas) && self.replicas == oldSelf.replicas : !has(oldSelf.replicas)",
        fieldPath = ".replicas",
        messageExpression =
                "'spec.spawners.replicas is %s, was %s; " + CelRules.KEEP
                        + ".format([has(self.replicas) ? string(self.replicas) : 'not set', has(oldSelf.replicas) ? string(oldSelf.replicas) : 'not set'])")
public record SpawnerSpec(
        @Min(1) @Max(1000) @JsonPropertyDescription(
                "How many spawners; with one, its loss costs time. Each manages at most 32 daemons. If left out, as many"
                        + " as the daemons need, spec.daemons.max and standbys included, at least 2; the number then"
                        + " grows when the job is scaled. Immutable.")
        @Nullable Integer replicas,

        @JsonPropertyDescription(Templates.SPAWNERS) @Nullable PodTemplateSpec template) {}
