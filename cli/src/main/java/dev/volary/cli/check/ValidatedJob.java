// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import dev.volary.job.manifest.Manifest;
import dev.volary.job.spec.JobSpec;
import dev.volary.protocol.model.Tolerance;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InputFolders;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Problem;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A job that passed all checks and can be started.
 *
 * @param manifest the file and its spec
 * @param problem the problem type
 * @param inputs folders of its input files
 * @param model the opened problem
 * @param decomposition its blocks
 * @param preflight what the problem knows about its convergence; empty if it has no pre-flight check
 * @param tolerance of the residual
 * @param notices what the user should know, one sentence each
 */
public record ValidatedJob(
        Manifest manifest,
        Problem problem,
        InputFolders inputs,
        Model model,
        Decomposition decomposition,
        Optional<Preflight> preflight,
        Tolerance tolerance,
        List<String> notices) {

    public ValidatedJob {
        notices = List.copyOf(notices);
    }

    /** The spec of the manifest. */
    public JobSpec spec() {
        return manifest.spec();
    }

    /** How the blocks improve their values; empty if the problem has only one method. */
    public Optional<String> method() {
        return model.method(decomposition);
    }

    /** Predicted iterations of each block until the tolerance is reached, in one time step; empty if unknown. */
    public OptionalDouble predictedIterations() {
        return model.predictedIterations(decomposition, tolerance.relative());
    }

    /** The job's name. */
    public String name() {
        return manifest.name();
    }
}
