// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.GridPatch;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Shape;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The choice between multigrid in rounds and relaxation that problems on grids give their users: a parameter with three values.
 *
 * @param method the parameter; its default leaves the choice to {@link AutomaticModel}
 * @param multigrid its value for multigrid, which takes the parameter {@link #LEVELS}
 * @param relaxed its value for relaxation
 * @param ofRelaxation the parameters that only relaxation uses; a job that sets one of them and no method relaxes
 */
public record MethodChoice<E extends Enum<E>>(
        Parameter<E> method, E multigrid, E relaxed, List<Parameter<?>> ofRelaxation) {
    /** The parameter {@code levels}. */
    public static final Parameter<Integer> LEVELS = Parameter.integer(
            "levels",
            "For Multigrid: how often a block coarsens its grid before one coarse problem takes over; 0 chooses.",
            0,
            0,
            8);

    public MethodChoice {
        ofRelaxation = List.copyOf(ofRelaxation);
    }

    /** Opens the model by relaxation. */
    @FunctionalInterface
    public interface RelaxationFactory {

        /**
         * @throws InvalidProblemException if the parameters do not fit together
         */
        Model open() throws InvalidProblemException;
    }

    /**
     * Opens the model of the method that a job chooses, or leaves open.
     *
     * @param relaxation opens the model by relaxation
     * @param rounds opens the model by multigrid, with a number of {@linkplain #LEVELS levels}
     * @throws InvalidProblemException if the method cannot be used on this grid, or a parameter is set that it does not use
     */
    public Model open(
            ParameterValues values, Shape unknowns, RelaxationFactory relaxation, IntFunction<MultigridModel> rounds)
            throws InvalidProblemException {
        E chosen = values.get(method);
        boolean isOpen = chosen != relaxed && chosen != multigrid;
        if (chosen == relaxed || (isOpen && setsRelaxation(values))) {
            requireDefault(values, LEVELS, relaxed, multigrid);
            return relaxation.open();
        }
        if (isOpen && isDefault(values, LEVELS)) {
            return new AutomaticModel(rounds.apply(0), relaxation.open(), blocks -> objection(unknowns, blocks));
        }
        for (Parameter<?> parameter : ofRelaxation) {
            requireDefault(values, parameter, multigrid, relaxed);
        }
        return rounds.apply(levels(values, unknowns));
    }

    /** Why this number of blocks cannot work in rounds; empty if it can. */
    private Optional<String> objection(Shape unknowns, int blocks) {
        return GridPatch.deepestLevel(unknowns) == 0
                ? Optional.of("a grid of " + unknowns + " points cannot be coarsened for " + multigrid)
                : AutomaticModel.tooManyBlocks(multigrid, blocks);
    }

    private boolean setsRelaxation(ParameterValues values) {
        return ofRelaxation.stream().anyMatch(parameter -> !isDefault(values, parameter));
    }

    private int levels(ParameterValues values, Shape unknowns) throws InvalidProblemException {
        int levels = values.get(LEVELS);
        int most = GridPatch.deepestLevel(unknowns);
        if (levels > most) {
            throw new InvalidProblemException(
                    LEVELS.name(),
                    "is " + levels + ", but a grid of " + unknowns + " points can be coarsened " + most + " times",
                    "use 0 to " + most);
        }
        if (most == 0) {
            throw new InvalidProblemException(
                    method.name(),
                    "is " + multigrid + ", but a grid of " + unknowns + " points cannot be coarsened",
                    "use more points, or method " + relaxed);
        }
        return levels;
    }

    private static <T> boolean isDefault(ParameterValues values, Parameter<T> parameter) {
        return parameter.defaultValue().equals(values.find(parameter));
    }

    /**
     * Refuses a parameter that a method does not use.
     *
     * @param other the method that uses it
     * @throws InvalidProblemException if the job sets it to another value than its default
     */
    public static void requireDefault(ParameterValues values, Parameter<?> parameter, Enum<?> method, Enum<?> other)
            throws InvalidProblemException {
        if (!isDefault(values, parameter)) {
            throw new InvalidProblemException(
                    parameter.name(),
                    "is " + values.get(parameter) + ", but method " + method + " does not use it",
                    "leave it out, or use method " + other);
        }
    }
}
