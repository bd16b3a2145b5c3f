/**
 * Convection and diffusion on the unit square or cube by upwind differences (docs/explanation/problems.md, "convection and
 * diffusion").
 */
@NullMarked
package dev.volary.solvers.convection;

import org.jspecify.annotations.NullMarked;
