// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.spec.InputSpec;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.spec.ResultSpec;
import dev.volary.job.validation.JobValidator;
import dev.volary.job.validation.SpecError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks a spec beyond the reach of the API server's rules: all rules as files keep them, and what only a cluster asks for. */
final class ClusterValidator {
    private ClusterValidator() {}

    /** Each a sentence that names field, value and remedy. */
    static List<String> errors(IterativeJob job) {
        JobSpec spec = job.getSpec();
        List<String> errors =
                new ArrayList<>(JobValidator.errors(job.getMetadata().getName(), spec).stream()
                        .map(SpecError::message)
                        .toList());
        for (int i = 0; i < spec.inputs().size(); i++) {
            InputSpec input = spec.inputs().get(i);
            if (input.persistentVolumeClaim() == null) {
                errors.add("spec.inputs[" + i + "].path is \"" + input.path()
                        + "\", a local folder; on a cluster give persistentVolumeClaim");
            }
        }
        @Nullable String restored = spec.restoreFrom() == null ? null : spec.restoreFrom().job();
        if (restored != null && (restored.contains("/") || restored.startsWith("."))) {
            errors.add(
                    "spec.restoreFrom.job is \"" + restored + "\", no name of a job; its folder on the volume is given"
                            + " with persistentVolumeClaim.subPath");
        }
        if (spec.result().destination() == ResultSpec.Destination.Volume) {
            errors.add(
                    "spec.result.destination is Volume, but workers of this version leave the result with the leader;"
                            + " remove it, and fetch the result with `volary fetch`");
        }
        return errors;
    }
}
