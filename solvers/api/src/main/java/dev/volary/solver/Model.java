// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** An opened problem: immutable, and safe to use from several threads. */
public interface Model {

    /** Name of the unknown, used as the name of the result array. */
    default String field() {
        return "u";
    }

    /** Unit of the unknown, as {@code K}; results and pictures show it. Defaults to empty, for a number without one. */
    default String unit() {
        return "";
    }

    /** The extents of the unknowns: one for a vector, two or three for a grid (row major). */
    Shape unknowns();

    /**
     * Where the unknowns lie, one axis for each extent of {@link #unknowns}, the slowest first; results and pictures show it. Defaults
     * to empty, for unknowns that have no place on a uniform grid.
     */
    default List<GridAxis> axes() {
        return List.of();
    }

    /**
     * Where the unknowns of a vector lie that form no uniform grid; results, pictures and exports show it. Defaults to empty, for
     * unknowns on a grid or without a place.
     */
    default Optional<Mesh> mesh() {
        return Optional.empty();
    }

    /**
     * Splits the unknowns into exactly {@code blocks} parts. Deterministic: every worker calls it and must get the same.
     *
     * @throws InvalidProblemException if the problem cannot be cut into that many blocks
     */
    Decomposition decompose(int blocks) throws InvalidProblemException;

    /**
     * Opens one block of {@code decomposition}, with its initial guess. Blocks are confined to one thread at a time, except
     * for {@link Block#residual}.
     */
    Block block(Decomposition decomposition, int id, Resources resources) throws InvalidProblemException;

    /**
     * The values a block assumes for an edge of which it never received a halo, because the neighbor could not be reached when it
     * started. Defaults to leaving {@code target} at zero.
     *
     * @param target {@link Edge#haloSize} values: those of the region in its order, then the extra ones
     */
    default void initialHalo(Edge edge, double[] target) {}

    /**
     * The norm of {@link Block#residual}. In the {@linkplain ResidualNorm#SUM sum} a block's hint is its own part times the
     * number of blocks, so that the largest hint stands for the whole vector.
     */
    default ResidualNorm residualNorm() {
        return ResidualNorm.MAXIMUM;
    }

    /**
     * The scale of the residual, in its units: a relative tolerance {@code tol} asks for {@code ‖r‖ ≤ tol · scale()} in
     * {@link #residualNorm()}. Positive and finite; usually {@code ‖b‖} with the boundary terms.
     */
    double scale();

    /**
     * Checks that take longer than opening, up to some seconds: the command line and spawners make them before {@link #attainableFloor},
     * daemons do not. A problem that reads only parts of its files checks here the numbers of the whole files. Defaults to none.
     *
     * @throws InvalidProblemException if the problem has no unique solution, or a file has a number that it cannot take
     */
    default void selfCheck() throws InvalidProblemException {}

    /** The smallest relative residual that double precision can reach here; smaller tolerances are refused. */
    double attainableFloor();

    /** The time steps of this model; empty if it is stationary. */
    default Optional<TimeStepping> timeStepping() {
        return Optional.empty();
    }

    /**
     * The method by which the blocks of a decomposition improve their values, for users: its name as in a manifest, and what is
     * notable about it. Defaults to empty, for a problem with only one method.
     */
    default Optional<String> method(Decomposition decomposition) {
        return Optional.empty();
    }

    /** Whether the blocks of a decomposition work in rounds; runtimes see to it for a {@link CoarseModel}. */
    default boolean worksInRounds(Decomposition decomposition) {
        return false;
    }

    /**
     * A cheap certificate that the asynchronous iteration converges, or a warning that it may not.
     *
     * @param decomposition the cut that will be used; what a block solves exactly needs no certificate
     */
    default Optional<Preflight> preflight(Decomposition decomposition) {
        return Optional.empty();
    }

    /**
     * How many iterations of each block reduce the error by {@code factor}, in one time step; a high estimate. Defaults to what
     * a {@linkplain Preflight.Verdict#CERTIFIED certified} pre-flight check implies. Empty if unknown.
     *
     * @param factor the relative tolerance, between 0 and 1
     */
    default OptionalDouble predictedIterations(Decomposition decomposition, double factor) {
        return preflight(decomposition)
                .map(known -> known.predictedIterations(factor))
                .filter(Double::isFinite)
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty());
    }
}
