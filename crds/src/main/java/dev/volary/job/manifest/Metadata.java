// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.manifest;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which job this is. An absent required name was reported, and is empty here.
 *
 * @param name also names the output folder of a local run
 * @param namespace {@code default} if not given; local mode has no namespaces
 * @param labels free, for selecting jobs
 * @param annotations free, for other programs
 */
public record Metadata(
        @Required @JsonPropertyDescription("Name of the job, such as heat.")
        String name,

        String namespace,
        Map<String, String> labels,
        Map<String, String> annotations) {

    public Metadata(
            @Nullable String name,
            @Nullable String namespace,
            @Nullable Map<String, String> labels,
            @Nullable Map<String, String> annotations) {
        this.name = Objects.requireNonNullElse(name, "");
        this.namespace = Objects.requireNonNullElse(namespace, "default");
        this.labels = labels == null ? Map.of() : Map.copyOf(labels);
        this.annotations = annotations == null ? Map.of() : Map.copyOf(annotations);
    }
}
