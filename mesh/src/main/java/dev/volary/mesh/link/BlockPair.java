// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.link;

/** From one block to another. */
public record BlockPair(int from, int to) {
    @Override
    public String toString() {
        return from + "→" + to;
    }
}
