// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import dev.volary.solver.GridPatch;
import dev.volary.solver.Shape;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code Au = −ε Δu + v·∇u + cu} on a box of two or three axes with Dirichlet boundary, by central differences for the first
 * term and upwind differences for the second, on a grid and on all its coarser levels (rediscretized; docs/explanation/problems.md,
 * "multigrid in rounds"). Immutable.
 *
 * <p>Directions are planes 0, rows 1 and columns 2, as in {@link dev.volary.solvers.kernel.GhostGrid}; a grid of two axes has
 * one plane.
 */
public final class GridOperator {
    private final Shape unknowns;
    private final AxisLevel[][] directions = new AxisLevel[3][];
    private final double reaction;
    private final int levels;
    private final @Nullable Flow flow;
    private final @Nullable Diffusion diffusion;

    /** A velocity that differs from point to point. Deterministic, as every block asks on its own. */
    @FunctionalInterface
    public interface Flow {

        /**
         * One component of the velocity at a point, given by the lines of the finest level as for {@link GridData}.
         *
         * @param direction planes 0, rows 1, columns 2
         */
        double at(int direction, int plane, int row, int column);
    }

    /** A diffusion that differs from point to point. Deterministic, as every block asks on its own. */
    @FunctionalInterface
    public interface Diffusion {

        /**
         * ε on the face between a point and the one before it on the finest level, positive. The line in the direction is 1 … n + 1,
         * the others are 1 … n.
         *
         * @param direction planes 0, rows 1, columns 2
         */
        double before(int direction, int plane, int row, int column);
    }

    /**
     * @param unknowns points of the finest level, two or three axes
     * @param step distance of the points of each axis
     * @param diffusion ε, positive
     * @param velocity v, one component for each axis
     * @param reaction c, not negative
     */
    public GridOperator(Shape unknowns, double[] step, double diffusion, double[] velocity, double reaction) {
        this(unknowns, step, diffusion, velocity, reaction, null, null);
    }

    private GridOperator(
            Shape unknowns,
            double[] step,
            double diffusion,
            double[] velocity,
            double reaction,
            @Nullable Flow flow,
            @Nullable Diffusion varying) {
        int axes = unknowns.axes();
        if ((axes != 2 && axes != 3) || step.length != axes || velocity.length != axes) {
            throw new IllegalArgumentException("a grid of " + unknowns + " points, " + step.length + " steps and "
                    + velocity.length + " components of the velocity; there must be 2 or 3 of each");
        }
        this.unknowns = unknowns;
        this.reaction = reaction;
        this.flow = flow;
        this.diffusion = varying;
        levels = GridPatch.deepestLevel(unknowns) + 1;
        directions[0] = AxisLevel.missing(levels);
        for (int a = 0; a < axes; a++) {
            directions[a + 3 - axes] = AxisLevel.of(unknowns.extent(a), step[a], diffusion, velocity[a], levels);
        }
    }

    /** {@code −ε Δu + v·∇u} for a velocity that differs from point to point; no obstacle may be added. */
    public static GridOperator withFlow(Shape unknowns, double[] step, double diffusion, Flow flow) {
        return new GridOperator(unknowns, step, diffusion, new double[step.length], 0, flow, null);
    }

    /** {@code −∇·(ε∇u) + v·∇u} for a diffusion and a velocity that differ from point to point; no obstacle may be added. */
    public static GridOperator withCoefficients(Shape unknowns, double[] step, Diffusion diffusion, Flow flow) {
        return new GridOperator(unknowns, step, 1, new double[step.length], 0, flow, diffusion);
    }

    /** {@code −Δ} on the unit square or cube, with the same number of points on every axis. */
    public static GridOperator poisson(Shape unknowns) {
        double[] step = new double[unknowns.axes()];
        for (int a = 0; a < step.length; a++) {
            step[a] = 1.0 / (unknowns.extent(a) + 1);
        }
        return new GridOperator(unknowns, step, 1, new double[step.length], 0);
    }

    /** Points of the finest level. */
    public Shape unknowns() {
        return unknowns;
    }

    /** Number of levels, the finest included. */
    public int levels() {
        return levels;
    }

    /** The velocity if it differs from point to point; the axes then have the diffusion only. */
    Optional<Flow> flow() {
        return Optional.ofNullable(flow);
    }

    /** The diffusion if it differs from point to point; then there is a {@link #flow} too, and the axes have a diffusion of 1. */
    Optional<Diffusion> diffusion() {
        return Optional.ofNullable(diffusion);
    }

    double reaction() {
        return reaction;
    }

    /** The line of the finest level on which point k of a level lies. */
    int line(int direction, int level, int k) {
        if (!has(direction)) {
            return k;
        }
        return k > axis(direction, level).n ? axis(direction, 0).n + 1 : k << level;
    }

    AxisLevel axis(int direction, int level) {
        return directions[direction][level];
    }

    /** Whether a direction exists on this grid. */
    boolean has(int direction) {
        return direction >= 3 - unknowns.axes();
    }
}
