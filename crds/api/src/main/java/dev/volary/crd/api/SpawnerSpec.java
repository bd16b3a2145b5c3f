package dev.volary.crd.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import org.jspecify.annotations.Nullable;

/** The processes that look after the daemons. */
public record SpawnerSpec(
        @Default("2")
        @Min(1) @Max(1000) @JsonPropertyDescription("How many spawners; with one, its loss costs time. Immutable.")
        @ValidationRule(
                value = "self == oldSelf",
                messageExpression = "'spec.spawners.replicas is %s, was %s; " + Rules.KEEP + ".format([self, oldSelf])")
        Integer replicas,

        @JsonPropertyDescription(Templates.SPAWNERS) @Nullable PodTemplateSpec template) {

    static final SpawnerSpec DEFAULT = new SpawnerSpec(2, null);

    public SpawnerSpec {
        replicas = Defaults.of(replicas, 2);
    }
}
