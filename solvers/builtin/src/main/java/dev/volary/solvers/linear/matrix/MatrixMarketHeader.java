// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.matrix;

import dev.volary.solver.InvalidProblemException;
import java.util.Locale;

/**
 * The first line of a Matrix Market file.
 *
 * @param array whether all values are listed, column by column, rather than coordinates
 * @param pattern whether entries have no values; each counts as 1
 * @param symmetry which entries stand for two
 */
public record MatrixMarketHeader(boolean array, boolean pattern, Symmetry symmetry) {

    /** What entry (i, j) says about entry (j, i). */
    public enum Symmetry {
        GENERAL,
        SYMMETRIC,
        SKEW
    }

    private static final String REMEDY =
            "it must be '%%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric'";

    /** Reads the first line. */
    public static MatrixMarketHeader read(NumberScanner in) throws InvalidProblemException {
        String text = in.restOfLine();
        String[] fields = text.toLowerCase(Locale.ROOT).split("\\s+", -1);
        if (fields.length != 5 || !fields[0].equals("%%matrixmarket") || !fields[1].equals("matrix")) {
            throw malformed(in, text);
        }
        boolean array =
                switch (fields[2]) {
                    case "coordinate" -> false;
                    case "array" -> true;
                    default -> throw malformed(in, text);
                };
        boolean pattern =
                switch (fields[3]) {
                    case "real", "double", "integer" -> false;
                    case "pattern" -> true;
                    case "complex" ->
                        throw in.faultAt(
                                1, "the values are complex", "give a real matrix; complex ones are not supported");
                    default -> throw malformed(in, text);
                };
        Symmetry symmetry =
                switch (fields[4]) {
                    case "general" -> Symmetry.GENERAL;
                    case "symmetric" -> Symmetry.SYMMETRIC;
                    case "skew-symmetric" -> Symmetry.SKEW;
                    case "hermitian" ->
                        throw in.faultAt(
                                1, "the matrix is hermitian", "give a real matrix; write a real one as symmetric");
                    default -> throw malformed(in, text);
                };
        if (array && pattern) {
            throw malformed(in, text);
        }
        return new MatrixMarketHeader(array, pattern, symmetry);
    }

    private static InvalidProblemException malformed(NumberScanner in, String text) {
        String shown = text.length() > 60 ? text.substring(0, 60) + "…" : text;
        return in.faultAt(1, "the header is '" + shown + "'", REMEDY);
    }
}
