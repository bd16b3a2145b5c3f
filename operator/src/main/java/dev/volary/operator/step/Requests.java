// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.IterativeJob;
import java.util.Map;
import java.util.Optional;

/** Under which name a snapshot is asked for: one name, one snapshot. */
public final class Requests {
    private Requests() {}

    /** What the job asks for now: for a suspension, each under a name of its own, or what its annotation says. */
    public static Optional<String> of(IterativeJob job) {
        if (job.getSpec().suspend()) {
            return Optional.of("spec.suspend of generation " + job.getMetadata().getGeneration());
        }
        Map<String, String> annotations = job.getMetadata().getAnnotations();
        return annotations == null
                ? Optional.empty()
                : Optional.ofNullable(annotations.get(IterativeJob.CHECKPOINT_REQUEST));
    }
}
