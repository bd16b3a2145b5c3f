// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plot;

import dev.volary.cli.result.ResultField;
import dev.volary.cli.result.ResultMesh;
import java.io.IOException;
import java.util.Arrays;

/** The points of a mesh and their values, in memory; its cells are read in pieces. */
final class MeshValues {
    /** A quarter of a gigabyte, or of the heap of the command line. */
    private static final int MOST_POINTS = 1 << 23;

    private final ResultMesh mesh;
    private final double[][] coordinates;
    private final double[] values;
    private final double[] min;
    private final double[] max;

    private MeshValues(ResultMesh mesh, double[][] coordinates, double[] values, double[] min, double[] max) {
        this.mesh = mesh;
        this.coordinates = coordinates;
        this.values = values;
        this.min = min;
        this.max = max;
    }

    /**
     * Reads the points.
     *
     * @throws IOException if the mesh cannot be read, or is too large to be drawn
     */
    static MeshValues read(ResultField field, ResultMesh mesh) throws IOException {
        if (mesh.points() > MOST_POINTS) {
            throw new IOException("the mesh has " + mesh.points() + " points; at most " + MOST_POINTS
                    + " can be drawn; write it for ParaView with volary export");
        }
        int axes = mesh.axes();
        double[][] coordinates = new double[axes][mesh.points()];
        double[] min = new double[axes];
        double[] max = new double[axes];
        Arrays.fill(min, Double.POSITIVE_INFINITY);
        Arrays.fill(max, Double.NEGATIVE_INFINITY);
        mesh.readCoordinates((first, rows) -> {
            for (int i = 0; i < rows.length; i++) {
                int axis = i % axes;
                coordinates[axis][first + i / axes] = rows[i];
                min[axis] = Math.min(min[axis], rows[i]);
                max[axis] = Math.max(max[axis], rows[i]);
            }
        });
        return new MeshValues(mesh, coordinates, field.array().readAll(), min, max);
    }

    ResultMesh.CellForm form() {
        return mesh.form();
    }

    int points() {
        return values.length;
    }

    int axes() {
        return mesh.axes();
    }

    int cellCount() {
        return mesh.cellCount();
    }

    int corners() {
        return mesh.corners();
    }

    double coordinate(int point, int axis) {
        return coordinates[axis][point];
    }

    double value(int point) {
        return values[point];
    }

    /** The smallest coordinate on an axis. */
    double min(int axis) {
        return min[axis];
    }

    double max(int axis) {
        return max[axis];
    }

    /** A scale that covers all values. */
    HeatMap scale() {
        return new HeatMap(
                Arrays.stream(values).filter(Double::isFinite).min().orElse(0),
                Arrays.stream(values).filter(Double::isFinite).max().orElse(1));
    }

    /** Takes the corners of some cells. */
    @FunctionalInterface
    interface Cells {
        void accept(int[] corners) throws IOException;
    }

    void readCells(Cells cells) throws IOException {
        mesh.readCells((first, rows) -> {
            int[] corners = new int[rows.length];
            Arrays.setAll(corners, i -> (int) rows[i]);
            cells.accept(corners);
        });
    }
}
