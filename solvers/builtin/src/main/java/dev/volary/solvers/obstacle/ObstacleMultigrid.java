// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.obstacle;

import dev.volary.solver.Shape;
import dev.volary.solvers.kernel.KernelChoice;
import dev.volary.solvers.multigrid.GridData;
import dev.volary.solvers.multigrid.GridOperator;
import dev.volary.solvers.multigrid.MultigridModel;

/** {@link ObstacleData} on n × n × n points for multigrid in rounds. */
record ObstacleMultigrid(int n, ObstacleData data) implements GridData {
    /** As without an obstacle. */
    private static final double OMEGA = 1.15;

    /**
     * @param levels how often a block coarsens its grid, 0 for a number that suits the decomposition
     */
    MultigridModel model(int levels) {
        double h = data.step(n);
        GridOperator operator = new GridOperator(Shape.of(n, n, n), new double[] {h, h, h}, 1, new double[3], 0);
        return new MultigridModel(
                new ObstacleModel(n, data, ObstacleProblem.JACOBI, 1),
                operator,
                this,
                levels,
                OMEGA,
                layout -> new ObstacleRelaxation(
                        n,
                        data,
                        ObstacleProblem.JACOBI,
                        layout,
                        KernelChoice.forUnknowns(layout.core().size())));
    }

    @Override
    public boolean hasUniformSource() {
        return true;
    }

    @Override
    public double source(int plane, int row, int column) {
        return data.load();
    }

    @Override
    public double boundary(int plane, int row, int column) {
        return data.boundary(coordinate(column), coordinate(row), coordinate(plane));
    }

    @Override
    public boolean hasObstacle() {
        return true;
    }

    @Override
    public boolean hasUniformObstacle() {
        return data.uniform();
    }

    @Override
    public double obstacle(int plane, int row, int column) {
        return data.obstacle(coordinate(column), coordinate(row), coordinate(plane));
    }

    /** Of a line that is numbered from 1; the data number them from 0. */
    private double coordinate(int line) {
        return data.coordinate(line - 1, n);
    }
}
