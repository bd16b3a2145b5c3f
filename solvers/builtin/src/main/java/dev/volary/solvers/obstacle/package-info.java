/** The obstacle problem on a cube (docs/explanation/problems.md, "obstacle on a cube"). */
@NullMarked
package dev.volary.solvers.obstacle;

import org.jspecify.annotations.NullMarked;
