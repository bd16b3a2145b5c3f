// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import java.io.IOException;

/** Measures Volary and its peers on one topic. */
interface Comparison {
    /**
     * Runs all programs and describes the results.
     *
     * @throws IOException if Volary or a file cannot be used; peers that are missing are named in the section
     */
    Section measure(PeerOptions options, Toolchain tools) throws IOException, InterruptedException;
}
