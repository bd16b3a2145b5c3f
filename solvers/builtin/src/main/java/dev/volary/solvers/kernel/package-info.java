/**
 * Sweeps over grids of doubles and the blocks built on them. {@link dev.volary.solvers.kernel.StencilKernel} is the seam
 * between the Vector API and plain loops, {@link dev.volary.solvers.kernel.GhostGrid} the layout both work on, and
 * {@link dev.volary.solvers.kernel.GridBlockFactory} makes a block of any {@link dev.volary.solvers.kernel.Relaxation}.
 */
@NullMarked
package dev.volary.solvers.kernel;

import org.jspecify.annotations.NullMarked;
