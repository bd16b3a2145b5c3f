// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

import dev.volary.solver.InvalidProblemException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Says whether multigrid in rounds can be used with coefficients from files, by reading all of them once (docs/explanation/problems.md,
 * "convection and diffusion"). The limits are those up to which rounds converged in experiments; they are no proof.
 */
final class MultigridLimits {
    /** Above this cell Péclet number h |v|/ε red-black sweeps do not smooth enough, and rounds may diverge. */
    static final double LARGEST_PECLET = 4;

    /** Linear interpolation loses its effect where ε differs by more than this factor within {@link #REACH} points. */
    static final double LARGEST_CONTRAST = 8;
    /** Points along an axis within which ε is compared. */
    static final int REACH = 8;

    private final ConvectionCoefficients coefficients;
    private final int n;
    private final double leastDiffusion;
    private final double[] here;
    private final double[] there;
    private double largestPeclet = LARGEST_PECLET;
    private int[] placeOfPeclet = {};
    private double largestContrast = LARGEST_CONTRAST;
    private int[] placeOfContrast = {};

    private MultigridLimits(ConvectionCoefficients coefficients) throws InvalidProblemException {
        this.coefficients = coefficients;
        n = coefficients.n();
        leastDiffusion = coefficients.leastDiffusion();
        here = new double[n];
        there = new double[n];
    }

    /**
     * Why multigrid cannot be used; empty if it can.
     *
     * @throws InvalidProblemException if a number cannot be used
     */
    static Optional<String> objection(ConvectionCoefficients coefficients) throws InvalidProblemException {
        MultigridLimits limits = new MultigridLimits(coefficients);
        int planes = coefficients.axes() == 3 ? coefficients.n() : 1;
        for (int plane = 1; plane <= planes; plane++) {
            for (int row = 1; row <= coefficients.n(); row++) {
                if (coefficients.hasDiffusionField()) {
                    limits.addContrasts(plane, row);
                }
                for (int column = 1; column <= coefficients.n(); column++) {
                    limits.add(plane, row, column);
                }
            }
        }
        return limits.finding();
    }

    private void add(int plane, int row, int column) {
        for (int direction = 3 - coefficients.axes(); direction < 3; direction++) {
            addPeclet(direction, plane, row, column);
        }
    }

    private void addPeclet(int direction, int plane, int row, int column) {
        double velocity = Math.abs(coefficients.velocity(direction, plane, row, column));
        if (coefficients.h() * velocity <= largestPeclet * leastDiffusion) {
            return;
        }
        double least = Math.min(
                coefficients.diffusionBefore(direction, plane, row, column),
                coefficients.diffusionAfter(direction, plane, row, column));
        double peclet = coefficients.h() * velocity / least;
        if (peclet > largestPeclet) {
            largestPeclet = peclet;
            placeOfPeclet = new int[] {plane, row, column};
        }
    }

    /** Compares a row with itself and with those after it, as reading point by point takes several times as long. */
    private void addContrasts(int plane, int row) {
        coefficients.copyDiffusion(plane, row, here);
        for (int step = 1; step <= REACH; step *= 2) {
            addContrasts(plane, row, here, step);
            if (row + step <= n) {
                coefficients.copyDiffusion(plane, row + step, there);
                addContrasts(plane, row, there, 0);
            }
            if (coefficients.axes() == 3 && plane + step <= n) {
                coefficients.copyDiffusion(plane + step, row, there);
                addContrasts(plane, row, there, 0);
            }
        }
    }

    private void addContrasts(int plane, int row, double[] other, int shift) {
        for (int i = 0; i + shift < n; i++) {
            double greatest = Math.max(here[i], other[i + shift]);
            double least = Math.min(here[i], other[i + shift]);
            if (greatest > largestContrast * least) {
                largestContrast = greatest / least;
                placeOfContrast = new int[] {plane, row, i + 1};
            }
        }
    }

    private Optional<String> finding() {
        if (placeOfPeclet.length > 0) {
            return Optional.of("Multigrid needs h|v|/ε up to " + (int) LARGEST_PECLET + ", and it is "
                    + number(largestPeclet) + " at " + place(placeOfPeclet));
        }
        if (placeOfContrast.length > 0) {
            return Optional.of("Multigrid needs a diffusion that changes by a factor of " + (int) LARGEST_CONTRAST
                    + " within " + REACH + " points at most, and it changes by " + number(largestContrast) + " near "
                    + place(placeOfContrast));
        }
        return Optional.empty();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3g", value);
    }

    /** A place as in the files, counted from 0. */
    private String place(int[] lines) {
        return Arrays.toString(Arrays.stream(lines, 3 - coefficients.axes(), 3)
                .map(line -> line - 1)
                .toArray());
    }
}
