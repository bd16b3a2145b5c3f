// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * A block that overlaps computing with sending: the values its neighbors read are computed first and published while the
 * interior is still being worked on.
 */
public interface BoundaryFirst extends HaloWriter {

    /** Computes the new values that outgoing edges carry; {@link #writeHalo} must return them from then on. */
    void boundary(Halos newest);

    /** Computes the rest and completes the iteration; returns what {@link #iterate} would. */
    double interior(Halos newest);

    @Override
    default double iterate(Halos newest) {
        boundary(newest);
        return interior(newest);
    }
}
