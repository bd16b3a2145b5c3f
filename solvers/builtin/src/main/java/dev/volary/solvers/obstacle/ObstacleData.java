// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.obstacle;

import dev.volary.solver.GridAxis;
import java.util.List;

/** Domain, load, obstacle and boundary values (docs/explanation/problems.md, "obstacle on a cube"). */
public enum ObstacleData {
    /** A membrane on (0,1)³ pressed by f = −20 onto φ = −0.3, held at 0 on the boundary. */
    Membrane(0, 1, -20, 0.3, true) {
        @Override
        double obstacle(double x, double y, double z) {
            return -0.3;
        }

        @Override
        double boundary(double x, double y, double z) {
            return 0;
        }
    },
    /** The unit ball on (−2,2)³ with f = 0, whose exact solution A/r + B outside the contact set is given on the boundary. */
    Ball(-2, 2, 0, 1, false) {
        @Override
        double obstacle(double x, double y, double z) {
            double r = Math.sqrt(x * x + y * y + z * z);
            return r < CAP
                    ? Math.sqrt(1 - r * r)
                    : Math.sqrt(1 - CAP * CAP) - CAP / Math.sqrt(1 - CAP * CAP) * (r - CAP);
        }

        @Override
        double boundary(double x, double y, double z) {
            return A / Math.sqrt(x * x + y * y + z * z) + B;
        }
    };

    /** Radius beyond which the ball is continued by its tangent cone. */
    private static final double CAP = 0.9;
    /** a³/√(1−a²) with the contact radius a = 0.7892441190408084, the root of 2a² − a³/2 = 1. */
    private static final double A = 0.8005886212490549;

    private static final double B = -A / 2;

    private final double lo;
    private final double hi;
    private final double load;
    private final double largest;
    private final boolean uniform;

    ObstacleData(double lo, double hi, double load, double largest, boolean uniform) {
        this.lo = lo;
        this.hi = hi;
        this.load = load;
        this.largest = largest;
        this.uniform = uniform;
    }

    abstract double obstacle(double x, double y, double z);

    abstract double boundary(double x, double y, double z);

    /** Where n points along each edge lie, z first. */
    List<GridAxis> axes(int n) {
        return GridAxis.interior(lo, hi, n, 3);
    }

    /** Coordinate of a grid line, the same on every axis; −1 and n lie on the boundary. */
    double coordinate(int index, int n) {
        return lo + (index + 1) * step(n);
    }

    /** Distance of grid lines. */
    double step(int n) {
        return (hi - lo) / (n + 1);
    }

    /** f, constant on the domain. */
    double load() {
        return load;
    }

    /** A bound of |u| and |φ| where they touch. */
    double largest() {
        return largest;
    }

    /** Whether the obstacle is the same everywhere. */
    boolean uniform() {
        return uniform;
    }
}
