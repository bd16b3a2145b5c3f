// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh;

/** From one block to another. */
record BlockPair(int from, int to) {
    @Override
    public String toString() {
        return from + "→" + to;
    }
}
