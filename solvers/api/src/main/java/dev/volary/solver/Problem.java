// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.List;

/**
 * What is solved: a kind of problem that appears by its name in a manifest. Found by {@link java.util.ServiceLoader}, so a
 * jar with a {@code META-INF/services/dev.volary.solver.Problem} entry on the class path is all a solver author ships.
 */
public interface Problem {

    /** The name used as {@code spec.problem.type}: lower case letters, digits and dashes. */
    String name();

    /** One sentence about what this problem is, for users. */
    String summary();

    /** The parameters a manifest may give; everything else is refused. */
    default List<Parameter<?>> parameters() {
        return List.of();
    }

    /**
     * Opens the problem. Every worker does so on its own and must arrive at the same model, so this must be deterministic.
     *
     * @param values the validated parameters, with defaults filled in
     * @param inputs resolves references of {@linkplain Parameter#file file parameters}
     * @throws InvalidProblemException if the parameters do not fit together, or a file is missing or malformed; names the parameter or
     *     file, the value and the remedy
     */
    Model open(ParameterValues values, Inputs inputs) throws InvalidProblemException;
}
