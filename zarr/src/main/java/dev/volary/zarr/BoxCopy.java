// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

/** Copies the common part of two row-major boxes. */
final class BoxCopy {
    private BoxCopy() {}

    /**
     * Copies what lies in both boxes; nothing if they do not meet.
     *
     * @param from values of the box that starts at {@code fromLo}
     * @param fromExtent its extents
     * @param to values of the box that starts at {@code toLo}
     * @param toExtent its extents
     * @param clip one past the last index that may be copied, on each axis
     */
    static void copy(
            double[] from, int[] fromLo, int[] fromExtent, double[] to, int[] toLo, int[] toExtent, int[] clip) {
        int axes = fromLo.length;
        int[] lo = new int[axes];
        int[] hi = new int[axes];
        for (int a = 0; a < axes; a++) {
            lo[a] = Math.max(fromLo[a], toLo[a]);
            hi[a] = Math.min(clip[a], Math.min(fromLo[a] + fromExtent[a], toLo[a] + toExtent[a]));
            if (lo[a] >= hi[a]) {
                return;
            }
        }
        int last = axes - 1;
        int run = hi[last] - lo[last];
        int[] at = lo.clone();
        while (true) {
            System.arraycopy(from, offset(at, fromLo, fromExtent), to, offset(at, toLo, toExtent), run);
            int a = last - 1;
            while (a >= 0 && ++at[a] == hi[a]) {
                at[a] = lo[a];
                a--;
            }
            if (a < 0) {
                return;
            }
        }
    }

    private static int offset(int[] at, int[] lo, int[] extent) {
        int offset = 0;
        for (int a = 0; a < at.length; a++) {
            offset = offset * extent[a] + at[a] - lo[a];
        }
        return offset;
    }
}
