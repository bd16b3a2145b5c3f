// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.cli.local.WorkerJvm.Length;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The AOT caches of an installation: without one, or with one that the JVM rejects, everything works, and the user notices
 * nothing.
 */
class AotCacheTrainingIT {
    private static final long PATIENCE_SECONDS = 60;

    @TempDir
    private Path folder;

    @Test
    void everyWorkerTakesTheCacheOfItsKind() throws IOException, InterruptedException {
        for (Length length : Length.values()) {
            for (String role : List.of("spawner", "daemon")) {
                starts(length, role);
            }
        }
    }

    /** A worker without input ends without an error; with {@code AOTMode=on} the JVM does not start without its cache. */
    private void starts(Length length, String role) throws IOException, InterruptedException {
        WorkerJvm jvm = new WorkerJvm(Installation.home(), Path.of(System.getProperty("java.home")), length);
        List<String> command = jvm.command(role, new WorkerMemory(1 << 20, 4 << 20));
        assertTrue(command.stream().anyMatch(flag -> flag.startsWith("-XX:AOTCache=")), command.toString());
        command.add(1, "-XX:AOTMode=on");
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "it still runs: " + command);
            assertEquals(0, process.exitValue(), () -> role + " of a job that is " + length + ": " + text(said));
        } finally {
            process.destroyForcibly();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
