// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The installation that tests run, prepared as {@code ./volary} prepares it: with AOT caches, which halve the processor time of a
 * small job. Prepared once for each JVM that runs tests.
 */
public final class Installation {
    private static final Path HOME = prepared();

    private Installation() {}

    /** Its folder, with {@code lib/}, {@code bin/volary} and {@code aot/}. */
    public static Path home() {
        return HOME;
    }

    private static Path prepared() {
        Path home = Path.of(System.getProperty("volary.home")).toAbsolutePath();
        Path repository = Path.of(System.getProperty("volary.examples"), "..")
                .toAbsolutePath()
                .normalize();
        Path log = home.resolveSibling("installation.log");
        try {
            Files.deleteIfExists(log);
            Process process = new ProcessBuilder(
                            "sh",
                            repository.resolve("dist/install.sh").toString(),
                            repository.toString(),
                            home.toString(),
                            System.getProperty("java.home"))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            int status = process.onExit().join().exitValue();
            if (status != 0) {
                throw new IllegalStateException("the installation ended with status " + status + "; see " + log);
            }
        } catch (IOException e) {
            throw new IllegalStateException("the installation cannot be prepared", e);
        }
        return home;
    }
}
