/** The stationary heat equation on the unit square (docs/explanation/problems.md, "heat on a square"). */
@NullMarked
package dev.volary.solvers.heat;

import org.jspecify.annotations.NullMarked;
