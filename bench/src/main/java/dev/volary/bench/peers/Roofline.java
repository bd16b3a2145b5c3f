// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

/**
 * The roofline of a machine (S. Williams, A. Waterman, D. Patterson, 2009): a kernel is limited by the arithmetic or by the bandwidth
 * of the memory.
 *
 * @param cores that compute at the same time
 * @param gigabytesPerSecond of the triad a = b + c · d, 24 bytes for each element
 * @param gigaflopsPerCore of fused multiply-adds in vector registers
 */
record Roofline(int cores, double gigabytesPerSecond, double gigaflopsPerCore) {

    /**
     * The work of a kernel on a point.
     *
     * @param bytes that must at least move between processor and memory, once for each array
     * @param flops additions and multiplications
     */
    record Work(double bytes, double flops) {
        double intensity() {
            return flops / bytes;
        }
    }

    /** Billions of operations a second that work can reach. */
    double attainableGigaflops(double intensity) {
        return Math.min(cores * gigaflopsPerCore, intensity * gigabytesPerSecond);
    }

    /** Million points a second that a kernel can reach. */
    double attainableRate(Work work) {
        return 1e3 * attainableGigaflops(work.intensity()) / work.flops();
    }
}
