// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.CProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Finds the compilers, libraries and interpreters of the peers on this machine, and names what is missing with the package that
 * brings it.
 */
final class Toolchain {
    private static final Path SOURCES = Path.of("bench", "peers");
    private static final List<String> NAMES_OF_PETSC = List.of("PETSc", "petsc");

    private final List<String> missing = new ArrayList<>();
    private final String python;

    Toolchain() {
        python = System.getenv().getOrDefault("VOLARY_PYTHON", "python3");
    }

    /** What could not be used so far, a sentence each. */
    List<String> missing() {
        return List.copyOf(missing);
    }

    /** Compiles a peer that needs a C compiler only; empty if there is none. */
    Optional<Path> c(String source) throws InterruptedException {
        try {
            return Optional.of(CProgram.compile(SOURCES.resolve(source)));
        } catch (IOException e) {
            return absent("C", "gcc", e);
        }
    }

    /** Compiles a peer that needs MPI; empty if it is missing. */
    Optional<Path> mpi(String source) throws InterruptedException {
        try {
            return Optional.of(CProgram.compileMpi(SOURCES.resolve(source)));
        } catch (IOException e) {
            return absent("C + MPI", "gcc libopenmpi-dev openmpi-bin", e);
        }
    }

    /** Compiles a peer that needs PETSc; empty if it is missing. */
    Optional<Path> petsc(String source) throws InterruptedException {
        for (String name : NAMES_OF_PETSC) {
            Optional<String> flags = ask("pkg-config", "--cflags", "--libs", name);
            if (flags.isPresent()) {
                try {
                    return Optional.of(CProgram.compileMpi(
                            SOURCES.resolve(source),
                            Arrays.stream(flags.get().split("\\s+", -1))
                                    .filter(flag -> !flag.isEmpty())
                                    .toList()));
                } catch (IOException e) {
                    return absent("PETSc", "petsc-dev", e);
                }
            }
        }
        return absent("PETSc", "petsc-dev pkg-config", new IOException("pkg-config does not know PETSc"));
    }

    /** The command of a script for a Python with scipy and pyamg; empty if they are missing. */
    Optional<List<String>> python(String script) throws InterruptedException {
        String file = SOURCES.resolve(script).toString();
        if (ask(python, file, "versions").isPresent()) {
            return Optional.of(List.of(python, file));
        }
        missing.add("scipy and pyamg: " + python
                + " cannot import them (pip install scipy pyamg; VOLARY_PYTHON names another Python)");
        return Optional.empty();
    }

    /** Name and version of each peer that is there, for the page. */
    List<String> versions() throws InterruptedException {
        List<String> versions = new ArrayList<>();
        ask("gcc", "-dumpfullversion").ifPresent(version -> versions.add("gcc " + version));
        ask("mpirun", "--version")
                .flatMap(text -> text.lines().findFirst())
                .ifPresent(line -> versions.add(line.replace("mpirun (Open MPI)", "Open MPI")));
        for (String name : NAMES_OF_PETSC) {
            Optional<String> version = ask("pkg-config", "--modversion", name);
            if (version.isPresent()) {
                versions.add("PETSc " + version.get());
                break;
            }
        }
        ask(python, SOURCES.resolve("matrices.py").toString(), "versions").ifPresent(versions::add);
        return versions;
    }

    private <T> Optional<T> absent(String peer, String packages, IOException reason) {
        String first = String.valueOf(reason.getMessage()).lines().findFirst().orElse("");
        // A compiler that is absent already names its packages.
        String remedy = first.contains("apt-get") ? "" : " (Debian: apt-get install " + packages + ")";
        String sentence = peer + ": " + first + remedy;
        if (!missing.contains(sentence)) {
            missing.add(sentence);
            System.out.println("missing: " + sentence);
        }
        return Optional.empty();
    }

    /** What a program prints, without its errors; empty if it fails or does not exist. */
    private static Optional<String> ask(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? Optional.of(said) : Optional.empty();
        } catch (IOException absent) {
            return Optional.empty();
        }
    }
}
