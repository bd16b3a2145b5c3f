/** The stationary heat equation on the unit square (algorithms reference §G.3). */
@NullMarked
package dev.volary.solvers.heat;

import org.jspecify.annotations.NullMarked;
