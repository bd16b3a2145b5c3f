// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import java.util.List;

/**
 * What a block commits: its values in the vector that was certified for a step, and its neighbors'.
 *
 * @param step that the vector was certified for
 * @param core values of the core
 * @param halos one for each incoming edge, in the solver's order
 */
@SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
public record CertifiedCore(int step, double[] core, List<double[]> halos) {
    public CertifiedCore {
        halos = List.copyOf(halos);
    }
}
