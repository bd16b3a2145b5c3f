// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup;

/**
 * Copies of a block.
 *
 * @param inForce min(k, live members − 1)
 * @param wanted k
 */
public record Copies(int inForce, int wanted) {

    /** Whether there are fewer copies than wanted. */
    public boolean isDegraded() {
        return inForce < wanted;
    }
}
