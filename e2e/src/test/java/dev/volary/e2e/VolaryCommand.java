// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A {@code volary} command as a process of its own, on the cluster under test.
 *
 * @param process that runs it
 * @param log where it writes what it says
 */
record VolaryCommand(Process process, Path log) {
    private static final long PATIENCE_SECONDS = 180;
    /** The jars of the installed command, in the folders that it takes them from for the commands of a cluster. */
    private static final String JARS = Stream.of("", "simulator", "cluster")
            .map(folder -> Path.of("../cli/target/volary/lib").resolve(folder).resolve("*"))
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));

    /** What a command did: its exit status, and all that it said. */
    record Said(int status, String text) {}

    /** Runs a command about a job to its end. */
    static Said run(ClusterJob job, String command, String... options) throws IOException, InterruptedException {
        VolaryCommand started = start(job, command, options);
        if (!started.process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            started.process.destroyForcibly().waitFor();
            throw new IOException("volary " + command + " does not end: " + Files.readString(started.log));
        }
        return started.said();
    }

    /** Starts a command about a job. */
    static VolaryCommand start(ClusterJob job, String command, String... options) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                JARS,
                "dev.volary.cli.Volary",
                command,
                job.name(),
                "-n",
                job.namespace(),
                "--kubeconfig",
                Objects.requireNonNull(System.getenv(Kubectl.KUBECONFIG), Kubectl.KUBECONFIG)));
        line.addAll(List.of(options));
        Path log = Files.createTempFile("volary", ".log");
        return new VolaryCommand(
                new ProcessBuilder(line)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start(),
                log);
    }

    /** What it did, once it has ended. */
    Said said() throws IOException, InterruptedException {
        int status = process.waitFor();
        return new Said(status, Files.readString(log, StandardCharsets.UTF_8));
    }
}
