// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Downloads are killed or interrupted at random bytes: each next one continues. Not a part of the suite: {@code e2e/run answers} runs
 * it, and the system properties {@code volary.cuts} and {@code volary.seed} say how many there are and where.
 */
@OnCluster
class DownloadCuts {
    private static final int CUTS = Integer.getInteger("volary.cuts", 4);
    private static final long SEED = Long.getLong("volary.seed", 25);
    private static final int POINTS = 3700;

    /** Last bytes of a result, which arrive before a process can be ended. */
    private static final double TOO_LATE = 0.03;

    private static final String SPEC = Specs.pairs("1500Mi") + """
            failureDetection: {timeout: 30s}
            podRetention: All
            problem: {type: heat2d, parameters: {points: %d}}
            convergence: {tolerance: "1e-2"}
            """.formatted(POINTS);

    /**
     * A download that was cut.
     *
     * @param signal KILL or INT
     * @param arrived bytes on the disk
     */
    private record Cut(Path folder, String signal, long arrived) {}

    @Test
    void aDownloadThatIsCutAtAnyByteIsContinued(@TempDir Path folder) throws Exception {
        Random random = new Random(SEED);
        long size = 8L * POINTS * POINTS;
        try (ClusterJob job = new ClusterJob("cuts", SPEC)) {
            job.awaitSuccess();
            job.until("has its result", () -> job.condition("ResultAvailable").startsWith("True"));
            List<Cut> cuts = new ArrayList<>();
            for (int i = 0; i < CUTS; i++) {
                long at = 1 + random.nextLong((long) (size * (1 - TOO_LATE)));
                cuts.add(cut(job, folder.resolve("cut-" + i), i % 2 == 0 ? "KILL" : "INT", at));
                assertNotEquals("true", job.status("resultFetched"));
            }
            Path first = cuts.getFirst().folder.resolve("result.zarr");
            for (Cut cut : cuts) {
                VolaryCommand.Said said = VolaryCommand.run(job, "fetch", "-o", cut.folder.toString());
                assertEquals(0, said.status(), said.text());
                if (cut.arrived > 0) {
                    assertTrue(said.text().contains("were here from an earlier fetch"), said.text());
                }
                assertSame(first, cut.folder.resolve("result.zarr"));
                System.out.println("cut by SIG" + cut.signal + " at " + cut.arrived + " bytes, continued");
            }
            Certificates.check(Fetched.in(job, cuts.getFirst().folder));
            job.until(
                    "is known to be fetched", () -> job.status("resultFetched").equals("true"));
        }
    }

    private static Cut cut(ClusterJob job, Path folder, String signal, long at) throws Exception {
        VolaryCommand fetch = VolaryCommand.start(job, "fetch", "-o", folder.toString());
        Path arriving = folder.resolve(".fetching");
        while (fetch.process().isAlive() && bytes(arriving) < at) {
            Thread.onSpinWait(); // to cut it near this byte
        }
        assertEquals(
                0,
                new ProcessBuilder(
                                "kill",
                                "-" + signal,
                                Long.toString(fetch.process().pid()))
                        .start()
                        .waitFor(),
                "it ended before it could be cut");
        VolaryCommand.Said said = fetch.said();
        assertEquals(signal.equals("KILL") ? 137 : 130, said.status(), said.text());
        if (signal.equals("INT")) {
            assertTrue(said.text().contains("fetch again to continue"), said.text());
        }
        assertFalse(Files.exists(folder.resolve("result.zarr")));
        return new Cut(folder, signal, bytes(arriving));
    }

    /** Two folders with the same files, bit by bit. */
    private static void assertSame(Path one, Path other) throws IOException {
        List<Path> files = files(one);
        assertEquals(
                files.stream().map(one::relativize).toList(),
                files(other).stream().map(other::relativize).toList());
        for (Path file : files) {
            assertEquals(-1, Files.mismatch(file, other.resolve(one.relativize(file))), file::toString);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Size of all files in a folder; 0 while it does not exist, or a file in it is being renamed. */
    private static long bytes(Path folder) {
        try {
            long bytes = 0;
            for (Path file : files(folder)) {
                bytes += Files.size(file);
            }
            return bytes;
        } catch (IOException | UncheckedIOException changing) {
            return 0;
        }
    }
}
