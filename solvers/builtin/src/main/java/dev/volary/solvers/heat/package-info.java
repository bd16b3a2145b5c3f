/** The heat equation on the unit square, stationary and in time (docs/explanation/problems.md, "heat on a square"). */
@NullMarked
package dev.volary.solvers.heat;

import org.jspecify.annotations.NullMarked;
