// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The C program, compiled for this machine and run as a child process. */
final class CStencil {
    private final Path program;

    private CStencil(Path program) {
        this.program = program;
    }

    /**
     * Compiles {@code source} with {@code gcc -O3 -march=native}.
     *
     * @throws IOException if there is no gcc, or it refuses
     */
    static CStencil compile(Path source) throws IOException, InterruptedException {
        if (!Files.isReadable(source)) {
            throw new IOException(source + " is not readable; start this from the repository, with bench/run kernels");
        }
        Path program = Files.createTempFile("stencil", "");
        program.toFile().deleteOnExit();
        List<String> command =
                List.of("gcc", "-O3", "-march=native", "-pthread", "-o", program.toString(), source.toString());
        Process gcc;
        try {
            gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            throw new IOException("gcc cannot be started; install it (Debian: apt-get install gcc)", absent);
        }
        String said = read(gcc);
        if (gcc.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed:\n" + said);
        }
        return new CStencil(program);
    }

    /** Memory as the system gives it, or in huge pages, as a worker's JVM asks for it. */
    enum Pages {
        PLAIN,
        HUGE
    }

    /** Runs one kind of sweep. */
    Run run(String kind, int n, int threads, int warm, int sweeps, Pages pages)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        program.toString(),
                        kind,
                        Integer.toString(n),
                        Integer.toString(threads),
                        Integer.toString(warm),
                        Integer.toString(sweeps),
                        pages.name().toLowerCase(Locale.ROOT))
                .redirectErrorStream(true)
                .start();
        String said = read(process).strip();
        if (process.waitFor() != 0) {
            throw new IOException("the C program failed: " + said);
        }
        int space = said.indexOf(' ');
        return new Run(Double.parseDouble(said.substring(0, space)), Double.parseDouble(said.substring(space + 1)), 0);
    }

    private static String read(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
