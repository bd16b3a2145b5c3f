// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** A snapshot to start from. */
@ValidationRule(
        value = "has(self.persistentVolumeClaim) != has(self.objectStore)",
        messageExpression =
                "'spec.restoreFrom has %s'.format([has(self.objectStore) ? 'persistentVolumeClaim and objectStore; keep one of them' : 'no storage; give persistentVolumeClaim or objectStore'])")
public record RestoreSpec(
        @JsonPropertyDescription("The checkpoint volume of the job that wrote it.") @Nullable ClaimSpec persistentVolumeClaim,

        @JsonPropertyDescription("The checkpoint object store of the job that wrote it.") @Nullable ObjectStoreSpec objectStore,

        @Size(min = 1, max = 253) @JsonPropertyDescription("The job that wrote it; a job of the same name if left out.")
        @Nullable String job) {}
