// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.run.WorkerJvm.Kind;
import dev.volary.cli.run.WorkerJvm.Length;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes the AOT caches of an installation's workers: for each kind of JVM, one that runs a small job and ends. */
final class AotCacheTraining {
    private static final int MOST_ATTEMPTS = 3;

    private AotCacheTraining() {}

    /**
     * Takes the installation's folder, the description of the job, and a folder for its results.
     *
     * @throws IOException if a JVM cannot be started, or fails again and again
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        WorkerJvm jvm = new WorkerJvm(Path.of(args[0]), Path.of(System.getProperty("java.home")), Length.BRIEF);
        for (Kind kind : Kind.values()) {
            List<String> arguments = kind.hasStore() ? List.of(args[1], args[2], "store") : List.of(args[1], args[2]);
            train(kind, jvm.training(kind, arguments));
        }
    }

    /** A machine that stands still for seconds may make a worker of the job look dead; not three times in a row. */
    private static void train(Kind kind, List<String> command) throws IOException, InterruptedException {
        for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
            int status = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (status == 0) {
                return;
            }
            System.err.println("training of " + kind + " ended with status " + status + "; attempt " + attempt + " of "
                    + MOST_ATTEMPTS);
        }
        throw new IOException("training of " + kind + " failed; build again on a quiet machine");
    }
}
