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

/** Checks what the rules of the CRD cannot: the same rules as for files, and rules that hold only on a cluster. */
final class ClusterValidator {
    private ClusterValidator() {}

    /** All errors, each a sentence that names field, value and remedy. */
    static List<String> errors(IterativeJob job) {
        JobSpec spec = job.getSpec();
        List<String> errors =
                new ArrayList<>(JobValidator.errors(job.getMetadata().getName(), spec).stream()
                        .map(SpecError::message)
                        .toList());
        for (int i = 0; i < spec.inputs().size(); i++) {
            InputSpec input = spec.inputs().get(i);
            if (input.path() != null) {
                errors.add("spec.inputs[" + i + "].path is \"" + input.path()
                        + "\", a local folder; use persistentVolumeClaim or objectStore on a cluster");
            }
        }
        Integer everySteps = spec.result().everySteps();
        ResultSpec.Destination destination = spec.result().destination();
        if (everySteps != null
                && destination != ResultSpec.Destination.Volume
                && destination != ResultSpec.Destination.ObjectStore) {
            errors.add("spec.result.everySteps is " + everySteps + " with spec.result.destination " + destination
                    + ", but spawners keep the last time step only; set destination: Volume or ObjectStore, or remove"
                    + " everySteps");
        }
        @Nullable String restoredJob =
                spec.restoreFrom() == null ? null : spec.restoreFrom().job();
        if (restoredJob != null && (restoredJob.contains("/") || restoredJob.startsWith("."))) {
            errors.add("spec.restoreFrom.job is \"" + restoredJob
                    + "\", which is not the name of a job; use persistentVolumeClaim.subPath or objectStore.prefix"
                    + " for a folder");
        }
        return errors;
    }
}
