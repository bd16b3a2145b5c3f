// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.Block;
import dev.volary.solver.CoarseModel;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.Resources;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntFunction;

/**
 * The model of a job that leaves the method open: a method in rounds, and relaxation where a number of blocks or the problem rules
 * it out. It refuses what relaxation refuses, and nothing else.
 */
public final class AutomaticModel extends SameEquations {
    private final Model rounds;
    private final IntFunction<Optional<String>> objection;

    /**
     * @param rounds the model that works in rounds
     * @param relaxed the model of the same equations by relaxation
     * @param objection why a number of blocks cannot work in rounds; empty if it can
     */
    public AutomaticModel(CoarseModel rounds, Model relaxed, IntFunction<Optional<String>> objection) {
        super(relaxed);
        this.rounds = RedundantCoarseModel.of(rounds);
        this.objection = objection;
    }

    /** The objection to more blocks than {@link RedundantCoarseModel} takes. */
    public static Optional<String> tooManyBlocks(Enum<?> method, int blocks) {
        return blocks > RedundantCoarseModel.MOST_BLOCKS
                ? Optional.of(method + " takes at most " + RedundantCoarseModel.MOST_BLOCKS + " blocks")
                : Optional.empty();
    }

    private Model with(int blocks) {
        return objection.apply(blocks).isPresent() ? relaxed() : rounds;
    }

    private Model of(Decomposition decomposition) {
        return with(decomposition.blocks());
    }

    @Override
    public Optional<String> method(Decomposition decomposition) {
        String reason = objection
                .apply(decomposition.blocks())
                .map(text -> " (" + text + ")")
                .orElse("");
        return of(decomposition).method(decomposition).map(name -> name + reason);
    }

    @Override
    public boolean worksInRounds(Decomposition decomposition) {
        return of(decomposition).worksInRounds(decomposition);
    }

    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        return with(blocks).decompose(blocks);
    }

    @Override
    public Block block(Decomposition decomposition, int id, Resources resources) throws InvalidProblemException {
        return of(decomposition).block(decomposition, id, resources);
    }

    @Override
    public Optional<Preflight> preflight(Decomposition decomposition) {
        return of(decomposition).preflight(decomposition);
    }

    @Override
    public OptionalDouble predictedIterations(Decomposition decomposition, double factor) {
        return of(decomposition).predictedIterations(decomposition, factor);
    }
}
