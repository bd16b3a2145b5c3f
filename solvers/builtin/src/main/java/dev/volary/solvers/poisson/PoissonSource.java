// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.poisson;

/** Right-hand sides f of Poisson's equation on the unit cube; all are largest in its middle. */
public enum PoissonSource {
    /** 1. */
    One {
        @Override
        double at(double x, double y, double z) {
            return 1;
        }
    },
    /** 3π² sin(πx) sin(πy) sin(πz), an eigenvector of the seven-point scheme. */
    Sines {
        @Override
        double at(double x, double y, double z) {
            return 3 * Math.PI * Math.PI * sine(x) * sine(y) * sine(z);
        }
    },
    /** The f of u = x(1 − x) y(1 − y) z(1 − z), which the seven-point scheme reproduces exactly. */
    Polynomial {
        @Override
        double at(double x, double y, double z) {
            double p = x * (1 - x);
            double q = y * (1 - y);
            double r = z * (1 - z);
            return 2 * (q * r + p * r + p * q);
        }
    };

    abstract double at(double x, double y, double z);

    /** The same bits on every machine, as all workers must agree about the problem. */
    private static double sine(double x) {
        return StrictMath.sin(Math.PI * x);
    }
}
