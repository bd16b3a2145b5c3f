// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import org.jspecify.annotations.Nullable;

/** The processes that compute. */
@ValidationRule(
        value = "!has(self.min) || self.min <= self.replicas",
        fieldPath = ".min",
        messageExpression =
                "'spec.daemons.min is %s, above spec.daemons.replicas, which is %s; lower min or raise replicas'.format([self.min, self.replicas])")
@ValidationRule(
        value = "!has(self.max) || self.replicas <= self.max",
        fieldPath = ".max",
        messageExpression =
                "'spec.daemons.max is %s, below spec.daemons.replicas, which is %s; raise max or lower replicas'.format([self.max, self.replicas])")
public record DaemonSpec(
        @SpecReplicas
        @Default("4")
        @Min(1) @Max(10_000) @JsonPropertyDescription(
                "How many daemons compute; `kubectl scale` sets it. Blocks are then assigned again; daemons beyond"
                        + " the number of blocks stand by.")
        Integer replicas,

        @Min(1) @Max(10_000) @JsonPropertyDescription(
                "The job starts, and counts as ready, with this number of daemons, all of them if left out; daemons that"
                        + " join later take blocks over.")
        @Nullable Integer min,

        @Min(1) @Max(10_000) @JsonPropertyDescription("The most that scaling may ask for.") @Nullable Integer max,

        @Default("0")
        @Min(0) @Max(10_000) @JsonPropertyDescription(
                "Daemons that are started and wait for a block, so that a lost one is replaced at once.")
        Integer standbys,

        @JsonPropertyDescription(Templates.DAEMONS) @Nullable PodTemplateSpec template) {

    public DaemonSpec {
        replicas = Defaults.of(replicas, DaemonSpec.class, "replicas");
        standbys = Defaults.of(standbys, DaemonSpec.class, "standbys");
    }

    /** The daemons that are to compute; all others stand by. */
    public int computing() {
        return max == null ? replicas : Math.min(replicas, max);
    }

    /** The most daemons that the job may come to have, standbys included. */
    public int most() {
        return Math.max(replicas, max == null ? replicas : max) + standbys;
    }

    /** The daemons without which the job does not start. */
    public int minimum() {
        return min == null ? replicas : min;
    }
}
