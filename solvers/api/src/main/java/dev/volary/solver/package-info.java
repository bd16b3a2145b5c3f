/**
 * What a solver author implements: a {@link dev.volary.solver.Problem} that opens a {@link dev.volary.solver.Model}, which
 * splits into {@link dev.volary.solver.Block}s.
 *
 * <p>The simple case is these three. The fast cases are small optional interfaces that a block may add:
 * {@link dev.volary.solver.HaloWriter} (publish without copying the core), {@link dev.volary.solver.BoundaryFirst} (overlap
 * of computing and sending) and {@link dev.volary.solver.Sliced} (several threads for one block). One source runs under
 * every scheme: the runtime decides when halos are taken and published. A {@link dev.volary.solver.CoarseModel} adds one
 * coarse problem that all blocks share, for methods that need few exchanges.
 */
@NullMarked
package dev.volary.solver;

import org.jspecify.annotations.NullMarked;
