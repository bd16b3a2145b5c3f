// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import dev.volary.solver.Block;
import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.GridFaces;
import dev.volary.solver.Parameter;
import dev.volary.solver.Resources;
import dev.volary.solver.SteppedBlock;
import java.util.function.BiFunction;

/**
 * Opens blocks of a grid for a star stencil of reach 1. Halos that are thicker than that are layers which the block works on as
 * well, see {@link SchwarzBlock}.
 */
public final class GridBlockFactory {
    /** Heap for each point: two arrays to sweep between and one for residuals. */
    public static final long BYTES_PER_UNKNOWN = 3 * Double.BYTES;

    private GridBlockFactory() {}

    /**
     * The parameter of problems on grids that says how many sweeps an iteration makes.
     *
     * @param method the only one that uses it
     */
    public static Parameter<Integer> sweeps(Enum<?> method) {
        return Parameter.integer(
                "sweeps",
                "For " + method.name() + ": sweeps a block makes on the same halos before it publishes its own.",
                1,
                1,
                1000);
    }

    /**
     * Opens a block that starts at zero. With one thread it is {@link dev.volary.solver.BoundaryFirst}; with several and one
     * sweep for each iteration it is {@link dev.volary.solver.Sliced}; with several sweeps on three axes it is neither, as is one
     * that shares layers with its neighbors. All without such layers compute bitwise the same.
     *
     * @param relaxation makes the problem's part for the block's grid and its kernel
     * @param sweeps for each iteration, on the same halos
     */
    public static Block open(
            Decomposition decomposition,
            int id,
            Resources resources,
            int sweeps,
            BiFunction<GhostGrid, StencilKernel, Relaxation> relaxation) {
        GridFaces faces = GridFaces.of(decomposition, id);
        Box core = faces.core();
        StencilKernel kernel = KernelChoice.forUnknowns(core.size());
        if (SchwarzBlock.isShared(decomposition, id)) {
            return new SchwarzBlock(decomposition.incoming(id), core, sweeps, grid -> relaxation.apply(grid, kernel));
        }
        GhostGrid layout = new GhostGrid(core);
        Relaxation problem = relaxation.apply(layout, kernel);
        if (sweeps > 1 && core.axes() == 3) {
            return new WavefrontBlock(layout, problem, faces, sweeps);
        }
        return resources.threads() > 1 && sweeps == 1
                ? new SlicedBlock(layout, problem, faces)
                : new BoundaryFirstBlock(layout, problem, faces, sweeps);
    }

    /** As {@link #open}, for a problem with time steps: the block starts at the relaxation's committed values. */
    public static SteppedBlock openStepped(
            Decomposition decomposition,
            int id,
            Resources resources,
            int sweeps,
            BiFunction<GhostGrid, StencilKernel, SteppedRelaxation> relaxation) {
        GridFaces faces = GridFaces.of(decomposition, id);
        Box core = faces.core();
        GhostGrid layout = new GhostGrid(core);
        SteppedRelaxation problem = relaxation.apply(layout, KernelChoice.forUnknowns(core.size()));
        return resources.threads() > 1 && sweeps == 1
                ? new SteppedSlicedBlock(layout, problem, faces)
                : new SteppedOverlappingBlock(layout, problem, faces, sweeps);
    }
}
