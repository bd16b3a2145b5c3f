// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import dev.volary.mesh.v1.ChildToParent;
import dev.volary.mesh.v1.ParentToChild;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * A worker process. It receives its job description and secrets on stdin and answers on stdout, so that no secret appears in a
 * file, an argument or the environment. A worker ends itself when its stdin is closed.
 */
final class WorkerProcess {
    private static final long DRAIN_MILLIS = 500;

    private final String name;
    private final Process process;
    private final Path log;
    private final OutputStream toChild;
    private final CountDownLatch drained = new CountDownLatch(1);
    /** Set once it is asked to end: what a JVM prints while it halts is not a message. */
    private volatile boolean ending;

    private WorkerProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.toChild = process.getOutputStream();
    }

    /**
     * Starts the process.
     *
     * @param command program and arguments
     * @param log file for its stderr
     */
    static WorkerProcess start(String name, List<String> command, Path log) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.to(log.toFile()))
                .start();
        return new WorkerProcess(name, process, log);
    }

    String name() {
        return name;
    }

    /** Processor time that it has taken, where the system tells and the process lives. */
    Optional<Duration> coreTime() {
        return process.info().totalCpuDuration();
    }

    Path log() {
        return log;
    }

    long pid() {
        return process.pid();
    }

    /**
     * Starts a thread that reads the messages of the worker until it ends.
     *
     * @param onMessage receives each message
     * @param onExit receives the exit status, after the last message
     */
    void listen(BiConsumer<WorkerProcess, ChildToParent> onMessage, BiConsumer<WorkerProcess, Integer> onExit) {
        Thread.ofPlatform().daemon().name("listen-" + name).start(() -> {
            try (InputStream in = new BufferedInputStream(process.getInputStream())) {
                for (ChildToParent message = ChildToParent.parseDelimitedFrom(in);
                        message != null;
                        message = ChildToParent.parseDelimitedFrom(in)) {
                    onMessage.accept(this, message);
                }
            } catch (IOException broken) {
                // either the child died in the middle of a message, or it printed something that is not a message and
                // cannot be read any further
                if (!ending) {
                    process.destroyForcibly();
                }
            }
            if (ending) {
                // there are no more messages; a JVM that halts waits 0.3 s for threads that wait for the network
                process.destroyForcibly();
            }
            onExit.accept(this, exitValue());
            drained.countDown();
        });
    }

    private int exitValue() {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            return -1;
        }
    }

    /** Asks the worker to end. */
    void stop(ParentToChild message) {
        ending = true;
        send(message);
    }

    /** Sends a message. Does nothing if the worker has ended, which {@code onExit} reports. */
    synchronized void send(ParentToChild message) {
        try {
            message.writeDelimitedTo(toChild);
            toChild.flush();
        } catch (IOException processEnded) {
            // reported by listen()
        }
    }

    /**
     * Ends the process: first by closing its stdin, then by force. Returns once it has ended and all its messages were passed
     * on.
     */
    void end(long graceMillis) {
        try {
            toChild.close();
        } catch (IOException alreadyClosed) {
            // the worker has ended already
        }
        try {
            if (!process.waitFor(graceMillis, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
            // its last messages may still be in the pipe, which a process that it started may keep open
            boolean ignored = drained.await(DRAIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    /** Asks the process to end (SIGTERM); its streams stay open, unlike with {@link Process#destroy}. */
    void terminate() {
        boolean ignored = process.toHandle().destroy();
    }

    /** Pauses the process (SIGSTOP) until {@link #resume}. */
    void pause() throws IOException {
        signal("STOP");
    }

    /** Continues a paused process (SIGCONT). */
    void resume() throws IOException {
        signal("CONT");
    }

    private void signal(String name) throws IOException {
        if (process.isAlive()) {
            var _ = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        }
    }

    /** Kills the process, without waiting. Messages that it has sent can still be read. */
    void kill() {
        boolean ignored = process.toHandle().destroyForcibly();
    }
}
