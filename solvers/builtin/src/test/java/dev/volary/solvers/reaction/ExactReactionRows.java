// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.reaction;

import java.math.BigDecimal;
import java.math.MathContext;

/** The residuals of the equations on two axes, in exact arithmetic, with the coefficients of a {@link ReactionEquation}. */
final class ExactReactionRows {
    private static final BigDecimal CAPTURE = new BigDecimal(DiurnalChemistry.CAPTURE);
    private static final BigDecimal LOSS = new BigDecimal(DiurnalChemistry.LOSS);

    private final ReactionEquation equation;
    private final DiurnalChemistry chemistry;
    private final int n;
    private final double[] c;
    private final double[] old;

    private ExactReactionRows(ReactionEquation equation, DiurnalChemistry chemistry, int n, double[] c, double[] old) {
        this.equation = equation;
        this.chemistry = chemistry;
        this.n = n;
        this.c = c;
        this.old = old;
    }

    /** The largest residual relative to the sum of the magnitudes of its row plus 100. */
    static BigDecimal largestResidual(
            ReactionEquation equation, DiurnalChemistry chemistry, int n, double[] c, double[] old) {
        ExactReactionRows rows = new ExactReactionRows(equation, chemistry, n, c, old);
        BigDecimal largest = BigDecimal.ZERO;
        for (int unknown = 0; unknown < c.length; unknown++) {
            largest = largest.max(rows.residual(unknown));
        }
        return largest;
    }

    private BigDecimal residual(int unknown) {
        int level = unknown / n % n;
        int column = unknown % n;
        BigDecimal west = new BigDecimal(equation.west());
        BigDecimal east = new BigDecimal(equation.east());
        BigDecimal above = new BigDecimal(equation.above(level));
        BigDecimal below = new BigDecimal(equation.below(level));
        BigDecimal dt = new BigDecimal(equation.stepLength());
        BigDecimal c1 = new BigDecimal(c[unknown % (n * n)]);
        BigDecimal c2 = new BigDecimal(c[n * n + unknown % (n * n)]);
        BigDecimal own = new BigDecimal(c[unknown]);
        BigDecimal light = new BigDecimal(chemistry.photolysis()).multiply(c2);
        boolean first = unknown < n * n;
        BigDecimal[] terms = {
            own,
            new BigDecimal(old[unknown]).negate(),
            west.multiply(value(unknown, column == 0 ? 1 : -1)).negate(),
            east.multiply(value(unknown, column == n - 1 ? -1 : 1)).negate(),
            below.multiply(value(unknown, level == 0 ? n : -n)).negate(),
            above.multiply(value(unknown, level == n - 1 ? -n : n)).negate(),
            west.add(east).add(above).add(below).multiply(own),
            first ? dt.multiply(new BigDecimal(chemistry.production())).negate() : BigDecimal.ZERO,
            dt.multiply(first ? light.negate() : light),
            dt.multiply(CAPTURE).multiply(first ? c1 : c1.negate()),
            dt.multiply(LOSS).multiply(c1).multiply(c2)
        };
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal weight = new BigDecimal(ReactionEquation.NEGLIGIBLE);
        for (BigDecimal term : terms) {
            sum = sum.add(term);
            weight = weight.add(term.abs());
        }
        return sum.abs().divide(weight, MathContext.DECIMAL128);
    }

    private BigDecimal value(int unknown, int offset) {
        return new BigDecimal(c[unknown + offset]);
    }
}
