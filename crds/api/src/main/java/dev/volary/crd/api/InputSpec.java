package dev.volary.crd.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** A folder with input files. */
public record InputSpec(
        @Required
        @Size(min = 1, max = 63) @JsonPropertyDescription("What parameters write before the colon: lower case letters, digits and dashes.")
        String name,

        @Size(max = 4096) @JsonPropertyDescription(
                "A folder beside the manifest, for local runs; on a cluster a job with such an input waits"
                        + " with a condition that says so.")
        @Nullable String path,

        @JsonPropertyDescription("A volume that holds the files; workers mount it read-only.") @Nullable ClaimSpec persistentVolumeClaim) {}
