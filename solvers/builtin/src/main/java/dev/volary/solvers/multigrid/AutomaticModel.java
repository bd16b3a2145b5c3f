// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.GridPatch;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.solver.Resources;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The model of a job that leaves the method open: multigrid in rounds, and relaxation where a number of blocks or a grid rules it
 * out. It refuses what relaxation refuses, and nothing else.
 */
public final class AutomaticModel extends SameEquations {
    private final Model rounds;

    AutomaticModel(MultigridModel multigrid, Model relaxed) {
        super(relaxed);
        rounds = RedundantCoarseModel.of(multigrid);
    }

    /** Why this number of blocks cannot work in rounds; empty if it can. */
    private Optional<String> objection(int blocks) {
        if (GridPatch.deepestLevel(unknowns()) == 0) {
            return Optional.of("a grid of " + unknowns() + " points cannot be coarsened for Multigrid");
        }
        return blocks > RedundantCoarseModel.MOST_BLOCKS
                ? Optional.of("Multigrid takes at most " + RedundantCoarseModel.MOST_BLOCKS + " blocks")
                : Optional.empty();
    }

    private Model with(int blocks) {
        return objection(blocks).isPresent() ? relaxed() : rounds;
    }

    private Model of(Decomposition decomposition) {
        return with(decomposition.blocks());
    }

    @Override
    public Optional<String> method(Decomposition decomposition) {
        String reason = objection(decomposition.blocks())
                .map(objection -> " (" + objection + ")")
                .orElse("");
        return of(decomposition).method(decomposition).map(name -> name + reason);
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
