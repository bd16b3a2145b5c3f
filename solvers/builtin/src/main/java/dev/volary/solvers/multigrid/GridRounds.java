// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.Box;
import dev.volary.solver.CoarseBlock;
import dev.volary.solver.CoarseSizes;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.GridDecomposition;
import dev.volary.solver.GridPatch;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.RoundBlock;
import dev.volary.solvers.kernel.GhostGrid;
import dev.volary.solvers.kernel.RecordedResidual;
import dev.volary.solvers.kernel.Relaxation;
import dev.volary.solvers.kernel.SteppedRelaxation;
import java.util.List;
import java.util.function.Function;

/**
 * Multigrid in rounds for {@code Au = f} with given boundary values, with or without an obstacle: what a {@link dev.volary.solver.CoarseModel} of a grid
 * needs. Immutable.
 */
public final class GridRounds {
    /** Layers round its core that a block computes as well, at least; with fewer, rounds converge more slowly. */
    private static final int OVERLAP = 2;
    /** The thinnest core is at least so many times as thick as the overlap, if that is more than the least. */
    private static final int THICKNESS = 8;

    /** Heap for each point of a patch: values, right-hand side, and two sevenths of both for the levels. */
    private static final long BYTES_PER_UNKNOWN = 3 * Double.BYTES;
    /** The values committed last, and the certificate's grid. */
    private static final long BYTES_OF_STEPS = 2 * Double.BYTES;
    /** The obstacle and the marks of fixed points, on all levels, and the certificate's obstacle. */
    private static final long BYTES_OF_OBSTACLE = 3 * Double.BYTES;
    /** The obstacle and the marks on the coarser levels only. */
    private static final long BYTES_OF_UNIFORM_OBSTACLE = Double.BYTES;
    /** The coefficients of an operator that differs from point to point, on all levels and in the certificate. */
    private static final long BYTES_OF_FLOW = 15 * Double.BYTES;
    /** Two sweeps, residual, interpolation, and what the levels cost. */
    private static final double WORK_PER_UNKNOWN = 5;

    /** Found by experiment: with 1.15 on all levels a round reduces the residual by 0.15 instead of 0.09. */
    private static final double COARSE_OMEGA_OF_OBSTACLE = 1.45;

    private static final int FEW_BLOCKS = 3;
    /**
     * Coarse points above which few blocks coarsen twice, too: each block computes the whole coarse problem and sends its part of the
     * load to all others. On 255³ points one level more takes half of the time for obstacles in two daemons.
     */
    private static final long LARGE_COARSE_PROBLEM = 1 << 17;

    private static final int MANY_BLOCKS = 40;

    private final GridOperator operator;
    private final GridData data;
    private final int overlap;
    private final int levels;
    private final double omega;

    /**
     * With the overlap that suits a decomposition.
     *
     * @param levels how often the grid is coarsened inside a block; the coarse problem has spacing 2^levels h
     * @param omega factor of the red-black sweeps, with an obstacle those of the finest level: 1.15 is best for three axes, 1 for two
     * @param cores the cores of the blocks
     */
    public GridRounds(GridOperator operator, GridData data, int levels, double omega, Decomposition cores) {
        this(operator, data, levels, omega, suitableOverlap(cores, levels));
    }

    /**
     * As the other constructor, with a given overlap.
     *
     * @param overlap layers of points that a block computes round its core
     */
    public GridRounds(GridOperator operator, GridData data, int levels, double omega, int overlap) {
        this.operator = operator;
        this.data = data;
        this.levels = levels;
        this.omega = omega;
        this.overlap = overlap;
    }

    /**
     * How often blocks should coarsen their grid: the more blocks there are, the smaller the one coarse problem must be, so
     * that its round takes less time than theirs. Cores stay 4 · 2^levels − 1 points thick where they are cut, because thinner
     * ones take more rounds.
     */
    public static int suitableLevels(Decomposition cores) {
        int blocks = cores.blocks();
        long coarsePoints = cores.unknowns().size() >> cores.unknowns().axes();
        boolean isSmall = blocks <= FEW_BLOCKS && coarsePoints <= LARGE_COARSE_PROBLEM;
        int levels = Math.min(isSmall ? 1 : blocks <= MANY_BLOCKS ? 2 : 3, GridPatch.deepestLevel(cores.unknowns()));
        int thinnest = thinnestCut(cores);
        while (levels > 1 && thinnest + 1 < 4 << levels) {
            levels--;
        }
        return levels;
    }

    /**
     * One coarse cell, as far as cores are thick: with two layers grids that are coarsened twice take one to three rounds more. In thin
     * cores more layers cost more time than they save.
     */
    private static int suitableOverlap(Decomposition cores, int levels) {
        return Math.clamp((thinnestCut(cores) + 1) / THICKNESS, OVERLAP, Math.max(OVERLAP, 1 << levels));
    }

    /** The smallest extent of a core along an axis that is cut; without cuts it is large. */
    private static int thinnestCut(Decomposition cores) {
        int thinnest = Integer.MAX_VALUE - 1;
        for (int b = 0; b < cores.blocks(); b++) {
            Box core = core(cores, b);
            for (int a = 0; a < core.axes(); a++) {
                if (core.extent(a) < cores.unknowns().extent(a)) {
                    thinnest = Math.min(thinnest, core.extent(a));
                }
            }
        }
        return thinnest;
    }

    /** As {@link GridDecomposition#patches}; corrections and right-hand sides of the levels follow the values of an edge. */
    public Decomposition decompose(int blocks) throws InvalidProblemException {
        long bytes = BYTES_PER_UNKNOWN
                + bytesOfObstacle()
                + (data.hasSteps() ? BYTES_OF_STEPS : 0)
                + (operator.flow().isPresent() ? BYTES_OF_FLOW : 0);
        Decomposition patches =
                GridDecomposition.patches(operator.unknowns(), blocks, overlap, levels, bytes, WORK_PER_UNKNOWN);
        List<Edge> edges = patches.edges().stream().map(this::withLevels).toList();
        return new Decomposition(patches.unknowns(), patches.parts(), edges);
    }

    private long bytesOfObstacle() {
        if (!hasObstacle()) {
            return 0;
        }
        return data.hasUniformObstacle() ? BYTES_OF_UNIFORM_OBSTACLE : BYTES_OF_OBSTACLE;
    }

    private Edge withLevels(Edge edge) {
        if (!(edge.values() instanceof Box box)) {
            throw new IllegalArgumentException(edge + " carries no box");
        }
        int values = 0;
        for (int l = 1; l < levels; l++) {
            values += 2 * LevelBox.within(box, operator, l).size();
        }
        return new Edge(edge.from(), edge.to(), box, values);
    }

    /** The sizes of loads and maps. */
    public CoarseSizes sizes(Decomposition decomposition) {
        return new CoarseSizes() {
            @Override
            public int load(int block) {
                // With an obstacle values and fixed points go with the right-hand side.
                return loadBox(decomposition, block).size() * (hasObstacle() ? 3 : 1);
            }

            @Override
            public int map(int block) {
                return mapBox(decomposition, block).size();
            }
        };
    }

    /**
     * Opens a block that starts at zero, or at u⁰ in the first step.
     *
     * @param certificate evaluates the residual on a grid that holds the core; a {@link SteppedRelaxation} if there are steps,
     *     and then the block is a {@link dev.volary.solver.SteppedBlock}
     */
    public RoundBlock block(Decomposition decomposition, int id, Function<GhostGrid, Relaxation> certificate) {
        Box core = core(decomposition, id);
        List<Edge> incoming = decomposition.incoming(id);
        if (!data.hasSteps()) {
            return new MultigridBlock(this, decomposition, id, RecordedResidual.inSlabs(core, incoming, certificate));
        }
        // It keeps the values committed last, of the whole core.
        if (!(certificate.apply(new GhostGrid(core)) instanceof SteppedRelaxation stepped)) {
            throw new IllegalArgumentException("a problem with time steps needs a SteppedRelaxation");
        }
        MultigridBlock block =
                new MultigridBlock(this, decomposition, id, RecordedResidual.whole(core, incoming, stepped));
        return new SteppedMultigridBlock(block, stepped, lines(0, data::initial));
    }

    /** Opens the coarse problem. */
    public CoarseBlock coarseBlock(Decomposition decomposition) {
        return new MultigridCoarseBlock(this, decomposition);
    }

    GridOperator operator() {
        return operator;
    }

    int levels() {
        return levels;
    }

    /** The factor of the sweeps of a level. */
    double omega(int level) {
        return level > 0 && hasObstacle() ? COARSE_OMEGA_OF_OBSTACLE : omega;
    }

    /**
     * A level of a patch or of the whole grid, with the boundary values, the obstacle, and values of zero or as small as the obstacle
     * allows.
     *
     * @param inside the points between the ghosts
     * @param isFinest whether a right-hand side and an obstacle that are the same everywhere are one row
     */
    GridLevel level(int level, LevelBox inside, boolean isFinest) {
        GridLevel made = new GridLevel(
                operator,
                level,
                inside,
                isFinest && data.hasUniformSource() && !data.hasSteps(),
                level > 0,
                layoutOfObstacle(isFinest));
        if (data.hasObstacle()) {
            made.setLower(lines(level, data::obstacle));
            made.project();
        }
        made.setBoundary(made.u, lines(level, data::boundary));
        return made;
    }

    private ObstacleLayout layoutOfObstacle(boolean isFinest) {
        if (!data.hasObstacle()) {
            return ObstacleLayout.NONE;
        }
        return isFinest && data.hasUniformObstacle() ? ObstacleLayout.ONE_ROW : ObstacleLayout.EACH_POINT;
    }

    /** Sets the right-hand side of a level to that of the problem, or of its first step. */
    void setSource(GridLevel target, int level) {
        GridLevel.PointSource source = lines(level, data::source);
        GridLevel.PointSource initial = lines(level, data::initial);
        double reaction = data.hasSteps() ? operator.reaction() : 0;
        target.setSource((z, y, x) -> source.at(z, y, x) + reaction * initial.at(z, y, x));
    }

    /** Sets the right-hand side of a level to that of the step that begins with its values. */
    void setSourceOfStep(GridLevel target, int level) {
        GridLevel.PointSource source = lines(level, data::source);
        double reaction = operator.reaction();
        target.setSource((z, y, x) -> source.at(z, y, x) + reaction * target.u[target.index(z, y, x)]);
    }

    /** Sets the boundary values in an array that is laid out as the values of a level. */
    void setBoundary(GridLevel layout, int level, double[] values) {
        layout.setBoundary(values, lines(level, data::boundary));
    }

    /** Data that are given by lines, by the points of a level. */
    private GridLevel.PointSource lines(int level, GridLevel.PointSource data) {
        return (z, y, x) -> data.at(operator.line(0, level, z), operator.line(1, level, y), operator.line(2, level, x));
    }

    boolean hasObstacle() {
        return data.hasObstacle();
    }

    GridPatch patch(Decomposition decomposition, int block) {
        return GridPatch.around(core(decomposition, block), operator.unknowns(), overlap, levels);
    }

    /** The points of the coarse level whose loads a block sends. */
    LevelBox loadBox(Decomposition decomposition, int block) {
        return LevelBox.within(core(decomposition, block), operator, levels);
    }

    /** The points of the coarse level that a block receives. */
    LevelBox mapBox(Decomposition decomposition, int block) {
        return LevelBox.inside(patch(decomposition, block), operator, levels).withGhosts(operator, levels);
    }

    static Box core(Decomposition decomposition, int block) {
        if (decomposition.parts().get(block).core() instanceof Box box) {
            return box;
        }
        throw new IllegalArgumentException("block " + block + " is no box");
    }
}
