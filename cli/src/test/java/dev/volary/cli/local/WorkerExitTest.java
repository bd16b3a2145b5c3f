// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.operator.pod.ContainerExit;
import dev.volary.worker.local.WorkerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers end with codes that their parent and the operator understand alike; these know nothing of the worker's classes. */
class WorkerExitTest {
    @TempDir
    Path folder;

    @Test
    void allAgreeOnTheCodeOfADismissedWorker() {
        assertEquals(WorkerMain.EVICTED, ProcessEvent.Ended.EVICTED);
        assertEquals(WorkerMain.EVICTED, ContainerExit.EVICTED);
    }

    @Test
    void aJvmThatRunsOutOfMemoryIsNotTakenForADismissedWorker() throws IOException, InterruptedException {
        Path source = Files.writeString(
                folder.resolve("Greedy.java"),
                "public class Greedy { public static void main(String[] a) { long[][] all = new long[999][];"
                        + " for (int i = 0; i < 999; i++) { all[i] = new long[1 << 24]; } } }");
        Process jvm = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        source.toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        assertTrue(jvm.waitFor(120, TimeUnit.SECONDS), "it did not end");
        int status = jvm.exitValue();
        ProcessEvent.Ended ended = new ProcessEvent.Ended("daemon-0", 1, status, false, folder);
        assertTrue(ended.isOutOfMemory(), () -> "status " + status);
        assertFalse(ended.isEvicted());
        ContainerExit exit = new ContainerExit(status, "Error", "");
        assertTrue(exit.isOutOfMemory());
        assertTrue(exit.isFailure());
    }
}
