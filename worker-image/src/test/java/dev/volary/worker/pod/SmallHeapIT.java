// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.spawnerapi.ApiChannels;
import dev.volary.mesh.spawnerapi.SpawnerClient;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.protocol.model.Address;
import dev.volary.solver.Box;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Subdomain;
import dev.volary.zarr.ZarrArray;
import dev.volary.zarr.ZarrGroup;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A spawner's storage with a heap of 64 MiB receives, assembles and serves a result of 300 MiB. */
class SmallHeapIT {
    private static final long RESULT_BYTES = 300L << 20;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aResultOfFiveTimesTheHeapIsReceivedAssembledAndServed(boolean isRegular) throws Exception {
        assertEquals(RESULT_BYTES, SmallHeapSpawner.SHAPE.size() * Double.BYTES);
        Decomposition decomposition = SmallHeapSpawner.decomposition(isRegular);
        CertificateAuthority authority = new CertificateAuthority("lab", "large", "u1");
        Path identity = folder.resolve("identity");
        Files.write(identity, authority.issue("spawner", "large-s-0").toPem().toByteArray());
        Process spawner = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xmx64m",
                        "-XX:MaxDirectMemorySize=64m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallHeapSpawner.class.getName(),
                        folder.resolve("spool").toString(),
                        identity.toString(),
                        Boolean.toString(isRegular))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (ApiChannels channels = new ApiChannels("calls");
                BufferedReader said =
                        new BufferedReader(new InputStreamReader(spawner.getInputStream(), StandardCharsets.UTF_8))) {
            Address address = new Address("127.0.0.1", Integer.parseInt(said.readLine()));
            deliver(channels, address, authority, decomposition);
            try (SpawnerClient client = channels.spawner(address, authority.issue("operator", "volary"))) {
                Path home = folder.resolve("home");
                var files = client.fetch(home);
                assertTrue(files.size() >= SmallHeapSpawner.BLOCKS, files.toString());
                check(ZarrGroup.open(home.resolve("result.zarr")).array("u"));
            }
            assertTrue(spawner.isAlive());
        } finally {
            spawner.destroyForcibly().waitFor();
        }
    }

    /** All daemons deliver at once. */
    private static void deliver(
            ApiChannels channels, Address address, CertificateAuthority authority, Decomposition decomposition)
            throws Exception {
        try (ExecutorService daemons = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> deliveries = new ArrayList<>();
            for (Subdomain part : decomposition.parts()) {
                deliveries.add(daemons.submit(() -> {
                    double[] values = values(part);
                    try (SpawnerClient client =
                            channels.spawner(address, authority.issue("daemon", "large-d-" + part.id()))) {
                        return client.deliver(SmallHeapSpawner.SID, part.id(), values, values.length, false, () -> {});
                    }
                }));
            }
            for (Future<Integer> delivery : deliveries) {
                var ignored = delivery.get();
            }
        }
        try (SpawnerClient client = channels.spawner(address, authority.issue("operator", "volary"))) {
            assertEquals(
                    SmallHeapSpawner.SID,
                    client.checkpoint(Duration.ofMinutes(5)).getSid());
        }
    }

    /** Each unknown holds its global index. */
    private static double[] values(Subdomain part) {
        Box core = (Box) part.core();
        long first = (long) core.lo(0) * SmallHeapSpawner.SHAPE.extent(1);
        double[] values = new double[core.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = first + i;
        }
        return values;
    }

    private static void check(ZarrArray array) throws Exception {
        array.check();
        int columns = SmallHeapSpawner.SHAPE.extent(1);
        for (int row = 0; row < SmallHeapSpawner.SHAPE.extent(0); row += 512) {
            double[] values = array.read(new int[] {row, 0}, new int[] {row + 1, columns});
            for (int i = 0; i < columns; i++) {
                assertEquals((double) ((long) row * columns + i), values[i]);
            }
        }
    }
}
