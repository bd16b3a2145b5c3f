// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** A snapshot to start from. */
public record RestoreSpec(
        @Required @JsonPropertyDescription("The checkpoint volume of the job that wrote it.")
        ClaimSpec persistentVolumeClaim,

        @Size(min = 1, max = 253) @JsonPropertyDescription("The job that wrote it; a job of the same name if left out.")
        @Nullable String job) {}
