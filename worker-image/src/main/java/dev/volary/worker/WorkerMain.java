package dev.volary.worker;

import dev.volary.mesh.v1.ParentToChild;
import dev.volary.mesh.v1.Start;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The worker program. Its parent tells it over stdin who it is and what the job is; when stdin ends, so does the worker.
 * Stdout carries messages to the parent, stderr is the log.
 */
public final class WorkerMain {
    /** Exit code of a worker that was declared gone, or of a daemon that has handed everything over. */
    static final int DISMISSED = 3;

    private WorkerMain() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        ParentChannel parent = new ParentChannel(new FileInputStream(FileDescriptor.in), out);
        int status = serve(parent);
        if (Boolean.getBoolean("volary.orderly-exit")) {
            System.exit(status); // an AOT cache is written by an orderly exit only
        }
        Runtime.getRuntime().halt(status);
    }

    private static int serve(ParentChannel parent) {
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
        // A dismissed worker ends; whoever watches the process starts another, which draws a new identity.
        Runnable whenDismissed = () -> Runtime.getRuntime().halt(DISMISSED);
        try (Worker worker = Worker.start(start, parent, whenDismissed)) {
            for (ParentToChild message = parent.next(); message != null; message = parent.next()) {
                if (message.getPayloadCase() == ParentToChild.PayloadCase.STOP) {
                    return 0;
                }
                worker.heard(message);
            }
            return 0;
        } catch (Exception e) {
            System.err.println(start.getName() + " cannot start: " + e);
            parent.failure(start.getName() + " cannot start: " + e.getMessage());
            return 1;
        }
    }
}
