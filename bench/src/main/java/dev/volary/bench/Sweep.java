// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.util.Map;

/** What is measured, with the name the C program knows it by. */
public enum Sweep {
    /** The average of four neighbors on a square. */
    HEAT5("heat5", "heat2d, 5 points", 2),
    /** The average of six neighbors in a cube. */
    JACOBI7("jacobi7", "Jacobi, 7 points", 3),
    /** Projected point Jacobi of the membrane. */
    PROJECTED7("projected7", "obstacle3d, projected", 3);

    private final String inC;
    private final String title;
    private final int axes;

    Sweep(String inC, String title, int axes) {
        this.inC = inC;
        this.title = title;
        this.axes = axes;
    }

    /** The name that the C program knows it by. */
    public String inC() {
        return inC;
    }

    /** For people, with the grid of n points along each edge. */
    public String title(int n) {
        return title + " " + n + (axes == 2 ? "²" : "³");
    }

    double points(int n) {
        return Math.pow(n, axes);
    }

    /** Parameters of the solver that does this sweep. */
    Map<String, Object> parameters(int n) {
        return this == HEAT5
                ? Map.of("points", n, "boundary", "Series", "method", "PointJacobi")
                : Map.of("points", n, "data", "Membrane", "method", "Relaxation");
    }
}
