// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.GridPatch;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Shape;

/** What the parameters of problems with a choice of multigrid have in common. */
public final class MultigridParameters {
    /** The parameter {@code levels}. */
    public static final Parameter<Integer> LEVELS = Parameter.integer(
            "levels",
            "For Multigrid: how often a block coarsens its grid before one coarse problem takes over; 0 chooses.",
            0,
            0,
            8);

    private MultigridParameters() {}

    /**
     * The value of {@link #LEVELS} for a grid.
     *
     * @throws InvalidProblemException if the grid cannot be coarsened that often
     */
    public static int levels(ParameterValues values, Shape unknowns) throws InvalidProblemException {
        int levels = values.get(LEVELS);
        int most = GridPatch.deepestLevel(unknowns);
        if (levels > most) {
            throw new InvalidProblemException(
                    LEVELS.name(),
                    "is " + levels + ", but a grid of " + unknowns + " points can be coarsened " + most + " times",
                    "use 0 to " + most);
        }
        return levels;
    }

    /**
     * Refuses a value of a parameter that only another method uses.
     *
     * @param method the method that was chosen
     * @param other the one that uses the parameter
     * @throws InvalidProblemException if the value is not the default
     */
    public static <T> void requireDefault(ParameterValues values, Parameter<T> parameter, Enum<?> method, Enum<?> other)
            throws InvalidProblemException {
        T value = values.get(parameter);
        if (!parameter.defaultValue().map(value::equals).orElse(false)) {
            throw new InvalidProblemException(
                    parameter.name(),
                    "is " + value + ", but method " + method + " does not use it",
                    "leave it out, or use method " + other);
        }
    }
}
