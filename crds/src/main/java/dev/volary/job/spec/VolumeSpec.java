// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** A volume that workers write. */
public record VolumeSpec(
        @Required @JsonPropertyDescription("The claim; where pods run on several nodes it must allow ReadWriteMany.")
        ClaimSpec persistentVolumeClaim) {}
