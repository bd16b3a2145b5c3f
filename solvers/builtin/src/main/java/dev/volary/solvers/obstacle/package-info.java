/** The obstacle problem on a cube by projected Richardson (algorithms reference §G.2). */
@NullMarked
package dev.volary.solvers.obstacle;

import org.jspecify.annotations.NullMarked;
