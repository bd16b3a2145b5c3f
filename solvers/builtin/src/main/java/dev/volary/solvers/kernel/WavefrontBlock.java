// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import dev.volary.solver.GridFaces;
import dev.volary.solver.Halos;

/**
 * For several sweeps on a grid of three axes, which seldom fits a cache: all sweeps of an iteration go through the planes together,
 * one plane behind each other.
 */
final class WavefrontBlock extends GridBlock {
    private final SweepRegion[] planes;

    WavefrontBlock(GhostGrid layout, Relaxation relaxation, GridFaces faces, int sweeps) {
        super(layout, relaxation, faces, sweeps);
        planes = new SweepRegion[layout.extent(0)];
        for (int plane = 0; plane < planes.length; plane++) {
            planes[plane] = layout.planes(plane, plane + 1);
        }
    }

    @Override
    public double iterate(Halos newest) {
        return sweepTogether(newest, planes);
    }
}
