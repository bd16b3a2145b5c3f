// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

/** Velocities on the unit square or cube; no component is larger than 1. Directions are z 0, y 1 and x 2. */
public enum ConvectionFlow {
    /** 1 in every direction. */
    Diagonal {
        @Override
        double at(int direction, double y, double x) {
            return 1;
        }
    },
    /** A closed flow round the middle, in planes of x and y, free of divergence and parallel to the walls. */
    Vortex {
        @Override
        double at(int direction, double y, double x) {
            double across = 2 * x - 1;
            double along = 2 * y - 1;
            return switch (direction) {
                case 2 -> along * (1 - across * across);
                case 1 -> -across * (1 - along * along);
                default -> 0;
            };
        }
    };

    abstract double at(int direction, double y, double x);

    /** Whether the velocity is the same everywhere. */
    boolean isUniform() {
        return this == Diagonal;
    }
}
