// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import dev.volary.cli.local.WorkerJvm.Cache;
import dev.volary.cli.local.WorkerJvm.Length;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Creates the AOT caches for the workers of an installation. For each, it runs a small job with all roles. */
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
        train(Cache.BRIEF, jvm.training(Cache.BRIEF, List.of(args[1], args[2])));
        train(Cache.FULL, jvm.training(Cache.FULL, List.of(args[1], args[2], "store")));
    }

    /** Retries, because a pause of the machine may let a worker of the job appear dead. */
    private static void train(Cache cache, List<String> command) throws IOException, InterruptedException {
        for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
            int status = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (status == 0) {
                return;
            }
            System.err.println("training of " + cache + " ended with status " + status + "; attempt " + attempt + " of "
                    + MAX_ATTEMPTS);
        }
        throw new IOException("training of the AOT cache " + cache + " failed " + MAX_ATTEMPTS
                + " times; build again while the machine is idle");
    }
}
