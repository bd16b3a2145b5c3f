// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.cli.local.Installation;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;

/** A {@code volary run} in a process of its own, as a user starts it. Closing it leaves no process behind. */
final class StartedRun implements AutoCloseable {
    /** Prefix of a run whose workers mark in their logs what they do. */
    static final List<String> TRACED = List.of("env", "VOLARY_TRACE=1");

    private static final long BOUND_SECONDS = 120;

    private final Process process;
    private final Path said;
    private final Path output;

    private StartedRun(Process process, Path said, Path output) {
        this.process = process;
        this.said = said;
        this.output = output;
    }

    /**
     * Starts a run.
     *
     * @param folder for its output and what it says
     * @param prefix of the command line, as {@code bash -c "ulimit …; exec \"$@\"" run}; empty for none
     */
    static StartedRun of(Path folder, List<String> prefix, Path manifest, String... options) throws IOException {
        return into(folder.resolve("out"), folder, prefix, manifest, options);
    }

    /** As {@link #of}, with another output folder. */
    static StartedRun into(Path output, Path folder, List<String> prefix, Path manifest, String... options)
            throws IOException {
        Path launcher = Installation.home().resolve("bin/volary");
        return start(output, folder, prefix, List.of(launcher.toString()), manifest, options);
    }

    /** As {@link #into}, of another installation, which may lack all but its jars. */
    static StartedRun from(Path home, Path output, Path folder, List<String> prefix, Path manifest, String... options)
            throws IOException {
        List<String> volary = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dvolary.home=" + home,
                "-cp",
                home.resolve("lib") + "/*",
                "dev.volary.cli.Volary");
        return start(output, folder, prefix, volary, manifest, options);
    }

    private static StartedRun start(
            Path output, Path folder, List<String> prefix, List<String> volary, Path manifest, String... options)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(volary);
        command.addAll(List.of("run", manifest.toString(), "--output", output.toString()));
        command.addAll(List.of(options));
        Path said = folder.resolve("said.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        return new StartedRun(process, said, output);
    }

    /** Waits for the end; fails if it does not come. */
    int status() throws InterruptedException, IOException {
        if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the run did not end within " + BOUND_SECONDS + " s; it said:\n" + said());
        }
        return process.exitValue();
    }

    Process process() {
        return process;
    }

    Path output() {
        return output;
    }

    /** What it has said so far. */
    String said() throws IOException {
        return Files.readString(said, StandardCharsets.UTF_8);
    }

    /** Waits until it has said something; if that does not come, fails and ends the run. */
    void awaitSaid(String text) throws IOException {
        try {
            await("that it says: " + text)
                    .atMost(Duration.ofSeconds(BOUND_SECONDS))
                    .until(() -> said().contains(text) || !process.isAlive());
        } catch (ConditionTimeoutException never) {
            close();
            throw never;
        }
        assertTrue(said().contains(text), said());
    }

    /** The values of the result. */
    double[] result() throws IOException {
        ZarrGroup group = ZarrGroup.open(output.resolve("result.zarr"));
        return group.array(group.fields().getFirst()).readAll();
    }

    /** Worker processes that run now. */
    List<ProcessHandle> workers() {
        return process.descendants().filter(ProcessHandle::isAlive).toList();
    }

    /** The process that writes this worker's log. */
    ProcessHandle worker(String name) {
        return workers().stream()
                .filter(process -> {
                    try {
                        return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "fd", "2"))
                                .endsWith(name + ".log");
                    } catch (IOException ended) {
                        return false;
                    }
                })
                .findFirst()
                .orElseThrow();
    }

    /** The fields of each mark of a kind in a worker's log, of a run that was started with {@link #TRACED}. */
    List<String[]> marks(String worker, String kind) {
        List<String[]> marks = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(output.resolve("logs").resolve(worker + ".log"))) {
                String[] fields = line.split(" ");
                if (fields.length > 2 && fields[0].equals("mark") && fields[2].equals(kind)) {
                    marks.add(fields);
                }
            }
        } catch (IOException notYet) {
            return List.of();
        }
        return marks;
    }

    @Override
    public void close() {
        List<ProcessHandle> workers = workers();
        process.destroyForcibly();
        workers.forEach(ProcessHandle::destroyForcibly);
    }
}
