// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** A claim in the job's namespace, or a folder of it. */
public record ClaimSpec(
        @Required
        @Size(min = 1, max = 253) @JsonPropertyDescription("Name of a PersistentVolumeClaim in the job's namespace.")
        String claimName,

        @Size(max = 1024) @JsonPropertyDescription("Folder inside the volume; the whole volume if left out.")
        @ValidationRule(
                value = "!self.startsWith('/') && !self.split('/').exists(part, part == '..')",
                messageExpression =
                        "'subPath is \"%s\"; write a path inside the volume, without a / before it and without ..'.format([self])")
        @Nullable String subPath) {}
