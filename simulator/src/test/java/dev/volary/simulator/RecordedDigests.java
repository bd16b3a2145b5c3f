// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.scenario.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How every scenario behaves: of each of its first seeds a hash of the delivered vector, the number of events, the iterations and the
 * virtual time, in {@code digests.csv}. A change that only renames or moves code leaves the file as it is; one that changes behavior
 * records it again with {@code -Dvolary.digests=FILE} and says why.
 */
final class RecordedDigests {
    private static final int SEEDS = 20;
    private static final @Nullable String RECORD = System.getProperty("volary.digests");
    private static final Map<String, List<String>> RECORDED = read();

    private RecordedDigests() {}

    /** Compares the first runs of a scenario with the recorded ones, or records them. */
    static void check(Scenario scenario, List<SimulationReport> reports) {
        List<String> digests =
                reports.stream().limit(SEEDS).map(RecordedDigests::digest).toList();
        if (RECORD == null) {
            assertEquals(RECORDED.getOrDefault(scenario.name(), List.of()), digests, scenario::name);
        } else {
            append(Path.of(RECORD), scenario.name() + "," + String.join(",", digests) + "\n");
        }
    }

    private static synchronized void append(Path file, String line) {
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, List<String>> read() {
        Map<String, List<String>> recorded = new HashMap<>();
        try (InputStream in = Objects.requireNonNull(RecordedDigests.class.getResourceAsStream("digests.csv"))) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                List<String> cells = List.of(line.split(","));
                recorded.put(cells.getFirst(), cells.subList(1, cells.size()));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return recorded;
    }

    private static String digest(SimulationReport report) {
        long hash = 17;
        for (long value : new long[] {report.digest(), report.events(), report.iterations(), report.virtualNanos()}) {
            hash = hash * 0x9E3779B97F4A7C15L + value;
            hash ^= hash >>> 29;
        }
        return "%08x".formatted(hash >>> 32);
    }
}
