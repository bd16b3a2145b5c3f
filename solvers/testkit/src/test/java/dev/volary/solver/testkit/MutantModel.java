// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import dev.volary.solver.Subdomain;
import dev.volary.solver.TimeStepping;
import dev.volary.solver.testkit.example.LaplaceProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * The example solver with a bug.
 *
 * @param correct what it is made from
 * @param parts changes the parts
 * @param edges changes the edges
 * @param blocks wraps a block, given its number of unknowns
 */
record MutantModel(
        Model correct,
        UnaryOperator<List<Subdomain>> parts,
        UnaryOperator<List<Edge>> edges,
        BiFunction<Block, Integer, Block> blocks)
        implements Model {

    static MutantModel withParts(UnaryOperator<List<Subdomain>> parts) {
        return new MutantModel(laplace(), parts, edges -> edges, (block, size) -> block);
    }

    static MutantModel withEdges(UnaryOperator<List<Edge>> edges) {
        return new MutantModel(laplace(), parts -> parts, edges, (block, size) -> block);
    }

    static MutantModel withBlocks(BiFunction<Block, Integer, Block> blocks) {
        return new MutantModel(laplace(), parts -> parts, edges -> edges, blocks);
    }

    static MutantModel withBlocks(Model correct, BiFunction<Block, Integer, Block> blocks) {
        return new MutantModel(correct, parts -> parts, edges -> edges, blocks);
    }

    private static Model laplace() {
        try {
            return ProblemUnderTest.of(new LaplaceProblem(), Map.of("points", 12))
                    .open();
        } catch (InvalidProblemException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Override
    public Shape unknowns() {
        return correct.unknowns();
    }

    @Override
    public Decomposition decompose(int count) throws InvalidProblemException {
        Decomposition decomposition = correct.decompose(count);
        return new Decomposition(
                unknowns(),
                parts.apply(new ArrayList<>(decomposition.parts())),
                edges.apply(new ArrayList<>(decomposition.edges())));
    }

    @Override
    public Block block(Decomposition decomposition, int id, Resources resources) throws InvalidProblemException {
        Block block = correct.block(correct.decompose(decomposition.blocks()), id, resources);
        return blocks.apply(block, decomposition.parts().get(id).core().size());
    }

    @Override
    public Optional<TimeStepping> timeStepping() {
        return correct.timeStepping();
    }

    @Override
    public double scale() {
        return correct.scale();
    }

    @Override
    public double attainableFloor() {
        return correct.attainableFloor();
    }
}
