/**
 * Two species that react, diffuse and are carried along in the upper atmosphere, by implicit Euler steps (docs/explanation/problems.md,
 * "advection, diffusion and reaction"). Start reading at {@link dev.volary.solvers.reaction.ReactionBlock}: an iteration is one Newton
 * step on a block whose halos are frozen, with {@link dev.volary.solvers.reaction.Gmres} as the linear solver.
 */
@NullMarked
package dev.volary.solvers.reaction;

import org.jspecify.annotations.NullMarked;
