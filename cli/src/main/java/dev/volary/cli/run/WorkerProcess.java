// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.mesh.v1.ChildToParent;
import dev.volary.mesh.v1.ParentToChild;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * One worker: a child process that is told its job and secrets over stdin and answers over stdout. Nothing of its identity
 * touches a file, an argument or the environment. A child whose stdin ends, ends itself.
 */
final class WorkerProcess {
    private static final long LAST_WORDS_MILLIS = 500;

    private final String name;
    private final Process process;
    private final Path log;
    private final OutputStream toChild;
    private final CountDownLatch heardAll = new CountDownLatch(1);
    /** Told to end: what the JVM prints on its way out is no message, and matters to nobody. */
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
     * @param log where its stderr goes
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

    Path log() {
        return log;
    }

    long pid() {
        return process.pid();
    }

    /**
     * Reads what the child says until it ends.
     *
     * @param onMessage called on a thread of its own for each message
     * @param onExit called once, last, with the exit value
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
                // The child died in the middle of a message, and its exit value says how; or it said something that is
                // no message, and cannot be understood any more.
                if (!ending) {
                    process.destroyForcibly();
                }
            }
            if (ending) {
                // It has said its last; a JVM that halts waits 0.3 s for threads that wait for the network.
                process.destroyForcibly();
            }
            onExit.accept(this, exitValue());
            heardAll.countDown();
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

    /** Tells the child that the job is over. */
    void stop(ParentToChild message) {
        ending = true;
        send(message);
    }

    /** Sends a message; a child that is gone is noticed by its exit, not here. */
    synchronized void send(ParentToChild message) {
        try {
            message.writeDelimitedTo(toChild);
            toChild.flush();
        } catch (IOException childGone) {
            // Reported by listen().
        }
    }

    /** Ends the process: first by closing its stdin, then by force. Returns when it is gone and all it said was passed on. */
    void end(long graceMillis) {
        try {
            toChild.close();
        } catch (IOException alreadyClosed) {
            // Then it knows.
        }
        try {
            if (!process.waitFor(graceMillis, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
            // Its last words may still be in the pipe; a process that it started may keep the pipe open.
            boolean ignored = heardAll.await(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    /** Asks the process to end (SIGTERM); its streams stay open, unlike with {@link Process#destroy}. */
    void terminate() {
        boolean ignored = process.toHandle().destroy();
    }

    /** Stops the process until it is {@link #resume}d. */
    void pause() throws IOException {
        signal("STOP");
    }

    /** Lets a stopped process go on. */
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

    /** Ends the process at once, without waiting. What it has said can still be read. */
    void kill() {
        boolean ignored = process.toHandle().destroyForcibly();
    }
}
