// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import dev.volary.mesh.v1.CheckpointManifest;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.solver.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whether a job can go on from a checkpoint: it must be of the same problem, cut into the same blocks. */
final class CheckpointCompatibility {
    private CheckpointCompatibility() {}

    /** Writes down what the job solves. */
    static void write(JobDescription job, Shape unknowns, int steps, CheckpointManifest.Builder into) {
        into.setProblem(job.getProblem())
                .putAllParameters(job.getParametersMap())
                .addAllUnknowns(extents(unknowns))
                .setBlocks(job.getBlocks())
                .setSteps(steps);
    }

    /** The first difference, as a field with both values; none if there is none. */
    static Optional<String> difference(CheckpointManifest kept, JobDescription job, Shape unknowns, int steps) {
        if (!kept.getProblem().equals(job.getProblem())) {
            return differ("spec.problem.type", kept.getProblem(), job.getProblem());
        }
        Map<String, ParameterValue> there = kept.getParametersMap();
        Map<String, ParameterValue> here = job.getParametersMap();
        TreeSet<String> names = new TreeSet<>(there.keySet());
        names.addAll(here.keySet());
        for (String name : names) {
            String value = text(there.get(name));
            String wanted = text(here.get(name));
            if (!value.equals(wanted)) {
                return differ("spec.problem.parameters." + name, value, wanted);
            }
        }
        if (kept.getBlocks() != job.getBlocks()) {
            return differ("spec.blocks", kept.getBlocks(), job.getBlocks());
        } else if (!kept.getUnknownsList().equals(extents(unknowns))) {
            return differ("the problem's shape", kept.getUnknownsList(), extents(unknowns));
        } else if (kept.getSteps() != steps) {
            return differ("the number of time steps", kept.getSteps(), steps);
        }
        return Optional.empty();
    }

    private static Optional<String> differ(String field, Object there, Object here) {
        return Optional.of("%s %s, and %s in this job".formatted(field, there, here));
    }

    private static List<Long> extents(Shape unknowns) {
        return Arrays.stream(unknowns.extents()).asLongStream().boxed().toList();
    }

    private static String text(@Nullable ParameterValue value) {
        if (value == null) {
            return "(not given)";
        }
        return switch (value.getValueCase()) {
            case WHOLE -> Long.toString(value.getWhole());
            case REAL -> Double.toString(value.getReal());
            case FLAG -> Boolean.toString(value.getFlag());
            case TEXT, VALUE_NOT_SET -> value.getText();
        };
    }
}
