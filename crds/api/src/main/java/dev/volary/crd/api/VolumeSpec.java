package dev.volary.crd.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** A volume that all spawners can write. */
public record VolumeSpec(
        @Required @JsonPropertyDescription("The claim; with more than one spawner it should allow ReadWriteMany.")
        ClaimSpec persistentVolumeClaim) {}
