// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** The sweeps in C. */
public final class CStencil {
    private final Path program;

    private CStencil(Path program) {
        this.program = program;
    }

    /**
     * Compiles {@code source}.
     *
     * @throws IOException if there is no gcc, or it refuses
     */
    public static CStencil compile(Path source) throws IOException, InterruptedException {
        return new CStencil(CProgram.compile(source));
    }

    /** Memory as the system gives it, or in huge pages, as a worker's JVM asks for it. */
    public enum Pages {
        /** What a program gets unasked. */
        PLAIN,
        /** Pages of 2 MiB. */
        HUGE
    }

    /**
     * Runs one kind of sweep.
     *
     * @param kind as in {@link Sweep#inC}, or {@code triad}, whose rate is in GB/s for n² elements
     * @throws IOException if the program fails
     */
    public Run run(String kind, int n, int threads, int warm, int sweeps, Pages pages)
            throws IOException, InterruptedException {
        String said = CProgram.run(
                program,
                kind,
                Integer.toString(n),
                Integer.toString(threads),
                Integer.toString(warm),
                Integer.toString(sweeps),
                pages.name().toLowerCase(Locale.ROOT));
        int space = said.indexOf(' ');
        return new Run(Double.parseDouble(said.substring(0, space)), Double.parseDouble(said.substring(space + 1)), 0);
    }
}
