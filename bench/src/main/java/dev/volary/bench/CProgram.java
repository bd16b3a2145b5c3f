// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compiles C programs for this machine and runs them as child processes. */
final class CProgram {

    private CProgram() {}

    /**
     * Compiles {@code source} with {@code gcc -O3 -march=native}; the program is deleted when the JVM ends.
     *
     * @throws IOException if there is no gcc, or it refuses
     */
    static Path compile(Path source) throws IOException, InterruptedException {
        if (!Files.isReadable(source)) {
            throw new IOException(source + " is not readable; start this from the repository, with bench/run");
        }
        Path program = Files.createTempFile("bench", "");
        program.toFile().deleteOnExit();
        List<String> command =
                List.of("gcc", "-O3", "-march=native", "-pthread", "-o", program.toString(), source.toString(), "-lm");
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
        return program;
    }

    /** Runs a compiled program to its end; returns what it prints. */
    static String run(Path program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = read(process).strip();
        if (process.waitFor() != 0) {
            throw new IOException("the C program failed: " + said);
        }
        return said;
    }

    private static String read(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
