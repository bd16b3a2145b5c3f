/** The obstacle problem on a cube by projected Richardson (docs/explanation/problems.md, "obstacle on a cube"). */
@NullMarked
package dev.volary.solvers.obstacle;

import org.jspecify.annotations.NullMarked;
