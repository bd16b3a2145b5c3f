// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import dev.volary.cli.local.WorkerJvm.Kind;
import dev.volary.cli.local.WorkerJvm.Length;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Creates the AOT caches for the workers of an installation. For each kind of JVM, it runs a small job with all roles. */
final class AotCacheTraining {
    private static final int MAX_ATTEMPTS = 3;

    private AotCacheTraining() {}

    /**
     * Trains all caches.
     *
     * @param args folder of the installation, description of the job, folder for its results
     * @throws IOException if a JVM cannot be started, or fails three times
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        WorkerJvm jvm = new WorkerJvm(Path.of(args[0]), Path.of(System.getProperty("java.home")), Length.BRIEF);
        for (Kind kind : Kind.values()) {
            List<String> arguments = kind.hasStore() ? List.of(args[1], args[2], "store") : List.of(args[1], args[2]);
            train(kind, jvm.training(kind, arguments));
        }
    }

    /** Retries, because a pause of the machine may let a worker of the job appear dead. */
    private static void train(Kind kind, List<String> command) throws IOException, InterruptedException {
        for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
            int status = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (status == 0) {
                return;
            }
            System.err.println("training of " + kind + " ended with status " + status + "; attempt " + attempt + " of "
                    + MAX_ATTEMPTS);
        }
        throw new IOException("training of the AOT cache " + kind + " failed " + MAX_ATTEMPTS
                + " times; build again while the machine is idle");
    }
}
