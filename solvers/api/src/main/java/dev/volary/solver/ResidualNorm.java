// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/** The norm in which the residual of a problem is certified; it says how the residuals of disjoint sets of rows combine. */
public enum ResidualNorm {
    /** {@code max |r_i|}: of two sets of rows the larger one counts. */
    MAXIMUM("‖r‖∞"),
    /** {@code Σ |r_i|}: those of two sets of rows add up. */
    SUM("‖r‖₁");

    private final String symbol;

    ResidualNorm(String symbol) {
        this.symbol = symbol;
    }

    /** The norm of the residual as a formula, for users. */
    public String symbol() {
        return symbol;
    }
}
