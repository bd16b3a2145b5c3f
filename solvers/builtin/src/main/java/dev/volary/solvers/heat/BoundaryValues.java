// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.heat;

/**
 * Dirichlet values on the unit square. All but {@link #Series} are harmonic polynomials of degree at most three, which the
 * five-point scheme reproduces exactly (docs/explanation/problems.md, "heat on a square").
 */
public enum BoundaryValues implements DirichletBoundary {
    /** 1 on the side y = 1, otherwise 0. */
    Series {
        @Override
        public double at(double x, double y) {
            return y == 1 ? 1 : 0;
        }
    },
    /** 1. */
    One {
        @Override
        public double at(double x, double y) {
            return 1;
        }
    },
    /** x. */
    X {
        @Override
        public double at(double x, double y) {
            return x;
        }
    },
    /** y. */
    Y {
        @Override
        public double at(double x, double y) {
            return y;
        }
    },
    /** xy. */
    XY {
        @Override
        public double at(double x, double y) {
            return x * y;
        }
    },
    /** x² − y². */
    X2Y2 {
        @Override
        public double at(double x, double y) {
            return x * x - y * y;
        }
    },
    /** x³ − 3xy². */
    Cubic {
        @Override
        public double at(double x, double y) {
            return x * x * x - 3 * x * y * y;
        }
    },
    /** 3x²y − y³. */
    Cubic2 {
        @Override
        public double at(double x, double y) {
            return 3 * x * x * y - y * y * y;
        }
    }
}
