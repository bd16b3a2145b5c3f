// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * What one block may use.
 *
 * @param threads compute threads, at least one
 * @param memoryBytes heap the block may fill
 */
public record Resources(int threads, long memoryBytes) {

    /** One thread and no stated limit of memory. */
    public static final Resources SINGLE = new Resources(1, Long.MAX_VALUE);

    public Resources {
        if (threads < 1) {
            throw new IllegalArgumentException("threads is " + threads + ", must be at least 1");
        }
    }
}
