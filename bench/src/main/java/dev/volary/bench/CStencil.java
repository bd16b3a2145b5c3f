// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** The sweeps in C. */
final class CStencil {
    private final Path program;

    private CStencil(Path program) {
        this.program = program;
    }

    /**
     * Compiles {@code source}.
     *
     * @throws IOException if there is no gcc, or it refuses
     */
    static CStencil compile(Path source) throws IOException, InterruptedException {
        return new CStencil(CProgram.compile(source));
    }

    /** Memory as the system gives it, or in huge pages, as a worker's JVM asks for it. */
    enum Pages {
        PLAIN,
        HUGE
    }

    /** Runs one kind of sweep. */
    Run run(String kind, int n, int threads, int warm, int sweeps, Pages pages)
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
