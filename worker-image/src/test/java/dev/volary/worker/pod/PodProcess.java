// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A worker in pod mode as a plain process, on a loopback address of its own. */
final class PodProcess implements AutoCloseable {
    static final long HEAP_BYTES = 256 << 20;

    private final String name;
    private final Path log;
    private final Process process;

    private PodProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    static PodProcess start(String name, Path log, Map<String, String> environment, long heapBytes) throws IOException {
        List<String> command = TrainedJvm.command("-Xmx" + heapBytes);
        command.add("dev.volary.worker.pod.PodMain");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        return new PodProcess(name, log, builder.start());
    }

    String name() {
        return name;
    }

    String output() throws IOException {
        return Files.readString(log);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** As {@code kill -9}. */
    void kill() {
        boolean ignored = process.toHandle().destroyForcibly();
    }

    /** As a machine that stands still: SIGSTOP; its connections stay open. */
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Goes on after {@link #freeze}. */
    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException(name + " does not take SIG" + signal);
        }
    }

    /** SIGTERM. */
    void terminate() {
        boolean ignored = process.toHandle().destroy();
    }

    /** Waits for the end. */
    int status() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(name + " does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
        process.onExit().join();
    }
}
