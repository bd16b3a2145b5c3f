// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The time steps that a Zarr group has along its dimension of time, in their order.
 *
 * @param field name of the array
 * @param residuals certified, relative
 */
record KeptSteps(String field, List<Integer> steps, List<Double> residuals, List<Long> snapshots) {

    /** @throws IOException if the group is no series of time steps */
    static KeptSteps of(ZarrGroup series) throws IOException {
        Map<String, Object> attributes = series.attributes();
        KeptSteps kept = new KeptSteps(
                series.fields().getFirst(),
                numbers(attributes, ResultAttributes.OUTPUT_STEPS).stream()
                        .map(Number::intValue)
                        .toList(),
                numbers(attributes, ResultAttributes.OUTPUT_RESIDUALS).stream()
                        .map(Number::doubleValue)
                        .toList(),
                numbers(attributes, ResultAttributes.OUTPUT_SNAPSHOTS).stream()
                        .map(Number::longValue)
                        .toList());
        int all = kept.steps.size();
        if (kept.residuals.size() != all || kept.snapshots.size() != all) {
            throw new IOException(series.folder() + " does not say the residual and the snapshot of each of its steps "
                    + kept.steps + "; remove it, and run the job again");
        }
        return kept;
    }

    private static List<Number> numbers(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof List<?> list
                ? list.stream().map(Number.class::cast).toList()
                : List.of();
    }
}
