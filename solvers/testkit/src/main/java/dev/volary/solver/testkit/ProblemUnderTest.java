// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import java.util.Map;

/**
 * A problem with the parameters it is tried with.
 *
 * @param problem what is solved
 * @param parameters as a manifest gives them
 * @param inputs finds the files of file parameters
 */
public record ProblemUnderTest(Problem problem, Map<String, Object> parameters, Inputs inputs) {

    /** A problem that reads no files. */
    public static ProblemUnderTest of(Problem problem, Map<String, Object> parameters) {
        return new ProblemUnderTest(problem, parameters, Inputs.none());
    }

    /** Opens the problem again, as each worker does. */
    public Model open() throws InvalidProblemException {
        return problem.open(ParameterValues.of(problem.parameters(), parameters), inputs);
    }
}
