// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

/** Work that keeps a core busy, in units of some microseconds. */
final class CpuLoad {
    private static final int STEPS = 4000;

    private CpuLoad() {}

    /** One unit; pass the result on so that it is not optimized away. */
    static double unit(double start) {
        double x = start;
        for (int i = 0; i < STEPS; i++) {
            x = x * 0.999999 + 1e-6;
        }
        return x;
    }
}
