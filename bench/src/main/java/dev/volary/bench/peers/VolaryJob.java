// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.VolaryRun;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A job on two cores, as a user writes it: of one daemon with two threads, or of two.
 *
 * @param problem as in a manifest, between braces
 * @param daemons with a block
 * @param blocks of the job
 * @param tolerance relative
 * @param standbys daemons without a block
 * @param inputs the folder of the input {@code in}; null without one
 */
record VolaryJob(
        String problem,
        int daemons,
        int blocks,
        double tolerance,
        int standbys,
        @Nullable Path inputs) {
    static final int CORES = 2;

    /** With a block for each core. */
    VolaryJob(String problem, int daemons, double tolerance) {
        this(problem, daemons, CORES, tolerance, 0, null);
    }

    String manifest() {
        String folder = inputs == null ? "" : "  inputs: [{name: in, path: \"" + inputs.toAbsolutePath() + "\"}]\n";
        return """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: peers}
                spec:
                  problem: {%s}
                %s  blocks: %d
                  daemons: {replicas: %d, standbys: %d}
                  spawners: {replicas: 1}
                  convergence: {tolerance: "%s"}
                """.formatted(problem, folder, blocks, daemons, standbys, tolerance);
    }

    /** Runs the command to its end. */
    PeerResult run() throws IOException, InterruptedException {
        return PeerResult.of(VolaryRun.of(manifest(), "--no-picture"), blocks);
    }
}
