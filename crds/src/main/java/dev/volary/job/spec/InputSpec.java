// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** A folder with input files. */
@ValidationRule(
        value = "has(self.path) != has(self.persistentVolumeClaim)",
        messageExpression =
                "'input \"%s\" has %s'.format([self.name, has(self.path) ? 'path and persistentVolumeClaim; keep one of them' : 'no source; give persistentVolumeClaim (on a cluster) or path (a local folder)'])")
public record InputSpec(
        @Required
        @Size(min = 1, max = 63) @JsonPropertyDescription("What parameters write before the colon: lower case letters, digits and dashes.")
        @ValidationRule(
                value = CelRules.LABEL,
                messageExpression = "'name is \"%s" + CelRules.LABEL_REMEDY + ".format([self])")
        String name,

        @Size(max = 4096) @JsonPropertyDescription(
                "A folder beside the manifest, for local runs; on a cluster a job with such an input waits"
                        + " with a condition that says so.")
        @ValidationRule(value = "self.trim() != ''", message = "path is blank; name a folder")
        @Nullable String path,

        @JsonPropertyDescription("A volume that holds the files; workers mount it read-only.") @Nullable ClaimSpec persistentVolumeClaim) {}
