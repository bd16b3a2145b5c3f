// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.ParameterValues;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Matrices of the tests. */
public final class Matrices {
    private Matrices() {}

    /** A matrix of the examples; surefire runs in the module's folder. */
    public static Path example(String name) {
        Path file = Path.of("..", "..", "examples", "data", name);
        if (!Files.isReadable(file)) {
            throw new UncheckedIOException(new IOException(file.toAbsolutePath() + " is not there"));
        }
        return file;
    }

    /** Opens an example with b_i = i/n. */
    public static Model open(String name, String method, int sweeps) throws InvalidProblemException {
        return open(
                Map.of("matrix", name, "rhsRule", "IndexOverN", "method", method, "sweeps", sweeps), Matrices::example);
    }

    public static Model open(Map<String, Object> parameters, Inputs inputs) throws InvalidProblemException {
        LinearSystemProblem problem = new LinearSystemProblem();
        return problem.open(ParameterValues.of(problem.parameters(), parameters), inputs);
    }

    /** A matrix from its rows, zeros left out. */
    public static SparseMatrix dense(double[]... rows) {
        List<Map<Integer, Double>> sparse = new ArrayList<>();
        for (double[] row : rows) {
            Map<Integer, Double> entries = new HashMap<>();
            for (int j = 0; j < row.length; j++) {
                if (row[j] != 0) {
                    entries.put(j, row[j]);
                }
            }
            sparse.add(entries);
        }
        return of(sparse);
    }

    public static SparseMatrix of(List<Map<Integer, Double>> rows) {
        int[] start = new int[rows.size() + 1];
        for (int i = 0; i < rows.size(); i++) {
            start[i + 1] = start[i] + rows.get(i).size();
        }
        int[] columns = new int[start[rows.size()]];
        double[] values = new double[columns.length];
        int end = 0;
        for (Map<Integer, Double> row : rows) {
            for (int column : row.keySet().stream().sorted().toList()) {
                columns[end] = column;
                values[end++] = row.getOrDefault(column, 0.0);
            }
        }
        return new SparseMatrix(start, columns, values);
    }

    /** The 5-point Laplacian on n × n interior points, diagonal 4, unknown (i, j) numbered {@code number[i n + j]}. */
    public static SparseMatrix poisson(int n, int[] number) {
        List<Map<Integer, Double>> rows = new ArrayList<>();
        for (int k = 0; k < n * n; k++) {
            rows.add(new HashMap<>());
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                Map<Integer, Double> row = rows.get(number[i * n + j]);
                row.put(number[i * n + j], 4.0);
                for (int[] step : new int[][] {{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
                    int a = i + step[0];
                    int b = j + step[1];
                    if (a >= 0 && a < n && b >= 0 && b < n) {
                        row.put(number[a * n + b], -1.0);
                    }
                }
            }
        }
        return of(rows);
    }

    public static SparseMatrix poisson(int n) {
        return poisson(n, IntStream.range(0, n * n).toArray());
    }

    /**
     * A bar of trilinear bricks of linear elasticity, E = 1, clamped at one end: symmetric, positive definite, with positive entries off
     * the diagonal. T. J. R. Hughes, The Finite Element Method (2000), chapter 3.
     */
    public static SparseMatrix elasticity(int length, int width, double poissonRatio) {
        double[][] stiffness = brick(poissonRatio);
        int across = width + 1;
        List<Map<Integer, Double>> rows = new ArrayList<>();
        for (int i = 0; i < 3 * length * across * across; i++) {
            rows.add(new HashMap<>());
        }
        for (int brick = 0; brick < length * width * width; brick++) {
            int[] unknown = new int[24];
            for (int a = 0; a < 24; a++) {
                int x = brick / (width * width) + (a / 3 & 1);
                int y = brick / width % width + (a / 6 & 1);
                int z = brick % width + a / 12;
                unknown[a] = x == 0 ? -1 : 3 * (((x - 1) * across + y) * across + z) + a % 3;
            }
            for (int a = 0; a < 24; a++) {
                for (int b = 0; b < 24; b++) {
                    if (unknown[a] >= 0 && unknown[b] >= 0) {
                        rows.get(unknown[a]).merge(unknown[b], stiffness[a][b], Double::sum);
                    }
                }
            }
        }
        return of(rows);
    }

    /** ∫ Bᵀ C B over a brick by eight Gauss points, up to a factor. */
    private static double[][] brick(double poissonRatio) {
        double shear = 1 / (2 * (1 + poissonRatio));
        double lame = 2 * shear * poissonRatio / (1 - 2 * poissonRatio);
        double[][] stiffness = new double[24][24];
        for (int q = 0; q < 8; q++) {
            double[][] gradient = new double[8][3];
            for (int a = 0; a < 8; a++) {
                double[] sign = {(a & 1) * 2 - 1, (a >> 1 & 1) * 2 - 1, (a >> 2) * 2 - 1};
                double[] at = {(q & 1) * 2 - 1, (q >> 1 & 1) * 2 - 1, (q >> 2) * 2 - 1};
                for (int d = 0; d < 3; d++) {
                    int e = (d + 1) % 3;
                    int f = (d + 2) % 3;
                    gradient[a][d] =
                            sign[d] * (1 + sign[e] * at[e] / Math.sqrt(3)) * (1 + sign[f] * at[f] / Math.sqrt(3));
                }
            }
            for (int i = 0; i < 24; i++) {
                for (int j = 0; j < 24; j++) {
                    double[] g = gradient[i / 3];
                    double[] h = gradient[j / 3];
                    double dot = i % 3 == j % 3 ? g[0] * h[0] + g[1] * h[1] + g[2] * h[2] : 0;
                    stiffness[i][j] += lame * g[i % 3] * h[j % 3] + shear * (g[j % 3] * h[i % 3] + dot);
                }
            }
        }
        return stiffness;
    }

    /** A random permutation of 0 … n − 1. */
    public static int[] shuffled(int n, long seed) {
        int[] order = IntStream.range(0, n).toArray();
        Random random = new Random(seed);
        for (int i = n - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        return order;
    }

    /** (A, G; Gᵀ, 0) with the five-point scheme A on n × n points and the differences G of neighbors in a row of points. */
    static SparseMatrix saddlePoint(int n) {
        SparseMatrix poisson = poisson(n);
        List<Map<Integer, Double>> rows = new ArrayList<>();
        for (int i = 0; i < 2 * n * n; i++) {
            rows.add(new HashMap<>());
        }
        for (int i = 0; i < n * n; i++) {
            for (int k = poisson.rowStart()[i]; k < poisson.rowStart()[i + 1]; k++) {
                rows.get(i).put(poisson.columns()[k], poisson.values()[k]);
            }
            rows.get(i).put(n * n + i, 1.0);
            rows.get(n * n + i).put(i, 1.0);
            if (i % n > 0) {
                rows.get(i - 1).put(n * n + i, -1.0);
                rows.get(n * n + i).put(i - 1, -1.0);
            }
        }
        return of(rows);
    }

    /** Central differences of a rotating flow on n × n points, with the cell Péclet number at the boundary. */
    static SparseMatrix centralConvection(int n, double peclet) {
        List<Map<Integer, Double>> rows = new ArrayList<>();
        for (int i = 0; i < n * n; i++) {
            Map<Integer, Double> row = new HashMap<>();
            row.put(i, 4.0);
            int line = i / n;
            int place = i % n;
            double along = peclet * (2.0 * line / n - 1);
            double across = -peclet * (2.0 * place / n - 1);
            if (i % n > 0) {
                row.put(i - 1, -1 - along);
            }
            if (i % n < n - 1) {
                row.put(i + 1, -1 + along);
            }
            if (i >= n) {
                row.put(i - n, -1 - across);
            }
            if (i < n * n - n) {
                row.put(i + n, -1 + across);
            }
            rows.add(row);
        }
        return of(rows);
    }

    /** A random matrix whose off-diagonal row sums are {@code ratio} times the diagonal. */
    public static SparseMatrix dominant(int n, int perRow, double ratio, Random random) {
        List<Map<Integer, Double>> rows = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Map<Integer, Double> row = new HashMap<>();
            double sum = 0;
            for (int k = 0; k < perRow; k++) {
                int column = random.nextInt(n);
                if (column != i && !row.containsKey(column)) {
                    double value = random.nextDouble() - 0.5;
                    row.put(column, value);
                    sum += Math.abs(value);
                }
            }
            row.put(i, sum > 0 ? sum / ratio : 1.0);
            rows.add(row);
        }
        return of(rows);
    }

    public static LinearModel model(SparseMatrix matrix, double[] b, LinearMethod method) {
        return new LinearModel("test matrix", matrix, b, method, 1);
    }

    /** A model that works in rounds, with b_i = i/n. */
    static LinearRoundsModel rounds(SparseMatrix matrix, int overlap, int vectors) {
        double[] b = RightHandSide.Rule.IndexOverN.of(matrix);
        return new LinearRoundsModel(model(matrix, b, LinearMethod.Direct), overlap, vectors);
    }
}
