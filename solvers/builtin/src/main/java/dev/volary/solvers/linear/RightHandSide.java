// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear;

import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.npy.NpyHeader;
import dev.volary.solver.npy.NpyReader;
import dev.volary.solvers.linear.matrix.MatrixMarketHeader;
import dev.volary.solvers.linear.matrix.NumberScanner;
import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.nio.file.Path;
import java.util.List;

/** Where {@code b} comes from: a file, or a rule. */
final class RightHandSide {

    /** What {@code b} is when no file gives it. */
    enum Rule {
        /** b = 1. */
        Ones,
        /** b_i = i/n, counted from 1. */
        IndexOverN,
        /** b = A·1, so that the solution is x = 1. */
        RowSums;

        double[] of(SparseMatrix matrix) {
            int n = matrix.size();
            double[] b = new double[n];
            for (int i = 0; i < n; i++) {
                b[i] = switch (this) {
                    case Ones -> 1;
                    case IndexOverN -> (i + 1.0) / n;
                    case RowSums -> rowSum(matrix, i);
                };
            }
            return b;
        }

        private static double rowSum(SparseMatrix matrix, int row) {
            double sum = 0;
            for (int k = matrix.rowStart()[row]; k < matrix.rowStart()[row + 1]; k++) {
                sum += matrix.values()[k];
            }
            return sum;
        }
    }

    private RightHandSide() {}

    /**
     * Reads a vector: a Matrix Market file with one column, as array or coordinates, plain text with one number on each
     * line, gzipped or not, or an array of NumPy with one axis or one column.
     *
     * @param n the length it must have
     * @throws InvalidProblemException naming the file, the place in it, the fault and the remedy
     */
    static double[] read(Path file, int n) throws InvalidProblemException {
        if (NpyReader.isArray(file)) {
            return readArray(file, n);
        }
        try (NumberScanner in = NumberScanner.open(file)) {
            if (in.peek() != '%') {
                return readNumbers(in, n);
            }
            MatrixMarketHeader header = MatrixMarketHeader.read(in);
            if (header.pattern() || header.symmetry() != MatrixMarketHeader.Symmetry.GENERAL) {
                throw in.faultAt(1, "a right-hand side is real or integer, and general", "correct the header");
            }
            if (!in.skipToNumbers()) {
                throw in.fault("the file ends before the sizes", "get it again");
            }
            long line = in.line();
            long rows = in.nextWhole("the number of rows");
            long columns = in.nextWhole("the number of columns");
            if (rows != n || columns != 1) {
                throw in.faultAt(
                        line,
                        "the right-hand side is " + rows + " × " + columns,
                        "for this matrix it must be " + n + " × 1");
            }
            if (header.array()) {
                in.expectEndOfLine("the sizes");
                return readNumbers(in, n);
            }
            long entries = in.nextWhole("the number of entries");
            in.expectEndOfLine("the sizes");
            return readCoordinates(in, n, entries);
        }
    }

    private static double[] readArray(Path file, int n) throws InvalidProblemException {
        try (NpyReader in = NpyReader.open(file)) {
            NpyHeader header = in.header();
            if (!header.type().isNumber()) {
                throw in.fault(
                        "has elements of type " + header.type().name(), "write real numbers: b.astype(\"float64\")");
            }
            if (!header.shape().equals(List.of((long) n)) && !header.shape().equals(List.of((long) n, 1L))) {
                throw in.fault("is " + header.shapeText(), "for this matrix it must be " + n);
            }
            double[] b = new double[n];
            for (int i = 0; i < n; i++) {
                b[i] = in.nextReal();
            }
            in.expectEnd();
            return b;
        }
    }

    private static double[] readNumbers(NumberScanner in, int n) throws InvalidProblemException {
        double[] b = new double[n];
        for (int i = 0; i < n; i++) {
            if (!in.skipToNumbers()) {
                throw in.fault("the file ends after " + i + " numbers", "the matrix has " + n + " rows: give as many");
            }
            b[i] = in.nextReal("number " + (i + 1));
            in.expectEndOfLine("the number");
        }
        if (in.skipToNumbers()) {
            throw in.fault("there are more than " + n + " numbers", "the matrix has " + n + " rows: give as many");
        }
        return b;
    }

    private static double[] readCoordinates(NumberScanner in, int n, long entries) throws InvalidProblemException {
        double[] b = new double[n];
        boolean[] given = new boolean[n];
        for (long k = 0; k < entries; k++) {
            if (!in.skipToNumbers()) {
                throw in.fault(
                        "the file ends after " + k + " of " + entries + " entries", "it was cut off: get it again");
            }
            long row = in.nextWhole("the row");
            long column = in.nextWhole("the column");
            if (row < 1 || row > n || column != 1) {
                throw in.fault(
                        "the entry is (" + row + ", " + column + ")", "rows are from 1 to " + n + ", the column is 1");
            }
            int index = (int) row - 1;
            if (given[index]) {
                throw in.fault("row " + row + " was given before", "list each row once");
            }
            given[index] = true;
            b[index] = in.nextReal("the value");
            in.expectEndOfLine("the entry");
        }
        if (in.skipToNumbers()) {
            throw in.fault("there is more after the " + entries + " entries", "correct the number of entries");
        }
        return b;
    }
}
