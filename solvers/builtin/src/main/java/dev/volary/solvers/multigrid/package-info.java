/**
 * Multigrid in rounds on grids: {@link dev.volary.solvers.multigrid.GridRounds} makes the blocks, the coarse problem and the
 * decomposition for a {@link dev.volary.solvers.multigrid.GridOperator} and a right-hand side; start reading there.
 * {@link dev.volary.solvers.multigrid.MultigridModel} is the model that the problems open.
 *
 * <p>Parts, from the bottom: an axis of a level holds the coefficients, a level holds the values and sweeps over them, an
 * interpolation and a restriction move values between two levels, and a transfer runs both and the sweeps between them. A block
 * runs half of a cycle on its patch, the coarse block whole cycles on the coarse grid. Depends on the solver API and on the grid
 * kernels only; threads, messages and rounds are the runtime's.
 *
 * <p>Speed is that of memory: a transfer corrects, sweeps and restricts in one pass over the planes of a level, in which each
 * stage follows the one before at a distance of one plane. Values have the bits that separate stages give. Red and black points
 * are stored apart, so that loops run over consecutive elements; on grids of millions of points they use the Vector API.
 */
@NullMarked
package dev.volary.solvers.multigrid;

import org.jspecify.annotations.NullMarked;
