// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import dev.volary.job.manifest.Manifest;
import dev.volary.job.spec.JobSpec;
import dev.volary.protocol.Tolerance;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InputFolders;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Problem;
import java.util.List;
import java.util.Optional;

/**
 * A job that can be started.
 *
 * @param manifest the file and what it says
 * @param problem the kind of problem
 * @param inputs where its files are
 * @param model the opened problem
 * @param decomposition its blocks
 * @param preflight what is known about convergence, if the problem can tell
 * @param tolerance of the residual
 * @param notices what the user should know, a sentence each
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

    /** What the manifest says. */
    public JobSpec spec() {
        return manifest.spec();
    }

    /** The job's name. */
    public String name() {
        return manifest.name();
    }
}
