// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

/** How a level keeps its obstacle and its fixed points. */
enum ObstacleLayout {
    /** There is no obstacle. */
    NONE,
    /** The obstacle is the same everywhere and no point is fixed: half a row for all. */
    ONE_ROW,
    /** Laid out as the values. */
    EACH_POINT
}
