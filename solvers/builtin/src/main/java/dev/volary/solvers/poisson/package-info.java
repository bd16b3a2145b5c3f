/** Poisson's equation on the unit cube (docs/explanation/problems.md, "Poisson's equation on a cube"). */
@NullMarked
package dev.volary.solvers.poisson;

import org.jspecify.annotations.NullMarked;
