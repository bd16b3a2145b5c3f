// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.local;

import dev.volary.mesh.v1.ParentToChild;
import dev.volary.mesh.v1.Start;
import dev.volary.worker.Worker;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The worker program. Its parent sends its identity and the job over stdin; when stdin ends, so does the worker, at
 * once. Stdout carries messages to the parent, stderr is the log. SIGTERM means leaving: the worker hands over what it
 * computes and ends then, or when that takes too long.
 */
public final class WorkerMain {
    /**
     * Exit code of a worker that was evicted, or of a daemon that has handed everything over: the one that sysexits.h has for
     * a failure that passes if it is tried again. The JVM's own codes are taken: 3 means that it ran out of memory.
     */
    public static final int EVICTED = 75;

    /** How long a worker may take to leave. */
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(5);

    private WorkerMain() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        PipeHostChannel parent = new PipeHostChannel(new FileInputStream(FileDescriptor.in), out);
        Runtime.getRuntime().halt(serve(parent, () -> {
            parent.close();
            Runtime.getRuntime().halt(0); // the system closes connections faster than we can
        }));
    }

    /**
     * A worker from its parent's first message to the last.
     *
     * @param onStopped what to do once the parent has said that the job is over; after it everything is closed
     * @return the exit status
     */
    public static int serve(PipeHostChannel parent, Runnable onStopped) {
        ParentToChild first = parent.next();
        if (first == null) {
            return 0;
        }
        if (first.getPayloadCase() != ParentToChild.PayloadCase.START) {
            parent.failure(
                    "the first message was " + first.getPayloadCase() + ", must be START; use matching versions");
            return 1;
        }
        Start start = first.getStart();
        // An evicted worker ends; the parent starts another one, which draws a new identity.
        Runnable onEvicted = () -> Runtime.getRuntime().halt(EVICTED);
        CountDownLatch over = new CountDownLatch(1);
        try (Worker worker = Worker.start(start, parent, onEvicted)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(worker, over), "leave"));
            for (ParentToChild message = parent.next(); message != null; message = parent.next()) {
                if (message.getPayloadCase() == ParentToChild.PayloadCase.STOP) {
                    worker.stop();
                    onStopped.run();
                    return 0;
                }
                worker.received(message);
            }
            return 0;
        } catch (Exception e) {
            System.err.println(start.getName() + " cannot start: " + e);
            parent.failure(start.getName() + " cannot start: " + e.getMessage());
            return 1;
        } finally {
            over.countDown();
        }
    }

    /** Runs while the JVM ends: because of a signal, or because the job is {@code over}. */
    private static void leave(Worker worker, CountDownLatch over) {
        if (over.getCount() == 0) {
            return;
        }
        worker.leave();
        try {
            boolean ignored = over.await(LEAVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
