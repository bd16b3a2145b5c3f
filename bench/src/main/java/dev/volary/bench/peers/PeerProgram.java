// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.CProgram;
import java.io.IOException;
import java.nio.file.Path;

/** Runs compiled peers to their ends. */
final class PeerProgram {
    /** Of a program for MPI: as many as Volary uses cores. */
    static final int RANKS = VolaryJob.CORES;

    private PeerProgram() {}

    /** Runs a program for MPI; the whole time is that of {@code mpirun}. */
    static PeerResult mpi(Path program, String... arguments) throws IOException, InterruptedException {
        long start = System.nanoTime();
        String said = CProgram.runMpi(program, RANKS, arguments);
        return PeerResult.parse(said, 1e-9 * (System.nanoTime() - start));
    }

    /** Runs one process. */
    static PeerResult alone(Path program, String... arguments) throws IOException, InterruptedException {
        long start = System.nanoTime();
        String said = CProgram.run(program, arguments);
        return PeerResult.parse(said, 1e-9 * (System.nanoTime() - start));
    }
}
