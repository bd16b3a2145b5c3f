// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.pagerank;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.GraphDecomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Residual;
import dev.volary.solver.ResidualNorm;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import java.util.Arrays;
import java.util.Optional;

/** The ranks of an opened graph, before they are divided by their sum. Its scale is the sum of the right-hand side, 1 − d. */
final class PageRankModel implements Model {
    private static final int FLOOR_SWEEPS = 10;

    private final String source;
    private final LinkGraph graph;
    private final int sweeps;

    /** @param source the graph's file, for messages */
    PageRankModel(String source, LinkGraph graph, int sweeps) {
        this.source = source;
        this.graph = graph;
        this.sweeps = sweeps;
    }

    @Override
    public String field() {
        return "x";
    }

    @Override
    public Shape unknowns() {
        return Shape.of(graph.pages());
    }

    @Override
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        int n = graph.pages();
        if (blocks < 1 || blocks > n) {
            throw new InvalidProblemException(
                    "blocks", "is " + blocks + ", but " + source + " has " + n + " pages", "use 1 to " + n + " blocks");
        }
        int[] owner = LinkPartition.of(graph, blocks);
        return GraphDecomposition.of(
                graph.incoming().rowStart(), graph.incoming().columns(), owner, blocks, this::footprint);
    }

    private long footprint(int rows, long entries, int halo) {
        return (graph.weighted() ? 12 : 4) * entries + 40L * rows + 28L * halo;
    }

    @Override
    public Block block(Decomposition decomposition, int id, Resources resources) {
        return new RankBlock(graph, decomposition, id, sweeps);
    }

    @Override
    public void initialHalo(Edge edge, double[] target) {
        Arrays.fill(target, graph.teleport());
    }

    @Override
    public ResidualNorm residualNorm() {
        return ResidualNorm.SUM;
    }

    @Override
    public double scale() {
        return 1 - graph.damping();
    }

    /** The rounding bound of the solution, for lower bounds of its ranks: a row's terms and the page's own rank are equal. */
    @Override
    public double attainableFloor() {
        double[] ranks = graph.lowerBounds(FLOOR_SWEEPS);
        double bound = 0;
        for (int page = 0; page < ranks.length; page++) {
            int links = graph.incoming().rowStart()[page + 1] - graph.incoming().rowStart()[page];
            bound += Residual.gamma(graph.roundings(links)) * 2 * ranks[page];
        }
        return bound / scale();
    }

    /** No column of d P has a larger sum than d, so ρ(d P) ≤ d; it is not negative. */
    @Override
    public Optional<Preflight> preflight(Decomposition decomposition) {
        return Optional.of(new Preflight(0, graph.damping(), ""));
    }
}
