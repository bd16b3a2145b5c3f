// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compiles C programs for this machine and runs them as child processes. */
public final class CProgram {

    private CProgram() {}

    /**
     * Compiles {@code source} with {@code gcc -O3 -march=native}; the program is deleted when the JVM ends.
     *
     * @throws IOException if there is no gcc, or it refuses
     */
    public static Path compile(Path source) throws IOException, InterruptedException {
        return compile(source, "gcc", "gcc", List.of());
    }

    /**
     * Compiles {@code source} as above, for MPI.
     *
     * @throws IOException if there is no mpicc, or it refuses
     */
    public static Path compileMpi(Path source) throws IOException, InterruptedException {
        return compileMpi(source, List.of());
    }

    /**
     * Compiles {@code source} as above, with the flags of a library.
     *
     * @throws IOException if there is no mpicc, or it refuses
     */
    public static Path compileMpi(Path source, List<String> library) throws IOException, InterruptedException {
        return compile(source, "mpicc", "gcc libopenmpi-dev openmpi-bin", library);
    }

    private static Path compile(Path source, String compiler, String packages, List<String> library)
            throws IOException, InterruptedException {
        if (!Files.isReadable(source)) {
            throw new IOException(source + " is not readable; start this from the repository, with bench/run");
        }
        Path program = Files.createTempFile("bench", "");
        program.toFile().deleteOnExit();
        List<String> command = new ArrayList<>(
                List.of(compiler, "-O3", "-march=native", "-pthread", "-o", program.toString(), source.toString()));
        command.addAll(library);
        command.add("-lm");
        Process process = start(command, packages);
        String said = read(process);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed:\n" + said);
        }
        return program;
    }

    /**
     * Runs a compiled program to its end; returns what it prints.
     *
     * @throws IOException if the program fails
     */
    public static String run(Path program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.addAll(List.of(arguments));
        return finish(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /**
     * Runs a program for MPI, one process for each rank on this machine, to its end; returns what it prints.
     *
     * @throws IOException if there is no mpirun, or the program fails
     */
    public static String runMpi(Path program, int ranks, String... arguments) throws IOException, InterruptedException {
        return finish(start(mpiCommand(program, ranks, arguments), "openmpi-bin"));
    }

    /** The command that runs a program for MPI, one process for each rank on this machine. */
    public static List<String> mpiCommand(Path program, int ranks, String... arguments) {
        List<String> command = new ArrayList<>(List.of("mpirun", "--oversubscribe", "-n", Integer.toString(ranks)));
        if (System.getProperty("user.name", "").equals("root")) {
            command.add("--allow-run-as-root");
        }
        command.add(program.toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static Process start(List<String> command, String packages) throws IOException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            throw new IOException(
                    command.getFirst() + " cannot be started; install it (Debian: apt-get install " + packages + ")",
                    absent);
        }
    }

    private static String finish(Process process) throws IOException, InterruptedException {
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
