// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every scenario behaves as recorded in {@code digests.csv}: the delivered vector, the number of events, the iterations and the
 * virtual time of each of the first seeds. A change that only renames or moves code leaves this file as it is; one that changes
 * behavior records it anew with {@code -Dvolary.digests=FILE} and says why.
 */
class DigestsTest {
    /** Recorded of each scenario. */
    private static final int SEEDS = 20;

    /** Compared; {@code -Dvolary.digests.seeds=20} compares all. */
    private static final int COMPARED = Integer.getInteger("volary.digests.seeds", 5);

    private static final String RECORDED = "digests.csv";

    @TestFactory
    Stream<DynamicTest> everyScenarioBehavesAsRecorded() throws IOException {
        String file = System.getProperty("volary.digests");
        if (file != null) {
            return Stream.of(DynamicTest.dynamicTest("record " + file, () -> record(Path.of(file))));
        }
        SortedMap<String, List<String>> recorded = recorded();
        Stream<DynamicTest> same = Scenario.all().stream()
                .map(scenario -> DynamicTest.dynamicTest(
                        scenario.name(),
                        () -> assertEquals(
                                Objects.requireNonNull(recorded.get(scenario.name()))
                                        .subList(0, COMPARED),
                                digests(scenario, COMPARED))));
        Stream<DynamicTest> complete = Stream.of(DynamicTest.dynamicTest(
                "all scenarios are recorded",
                () -> assertEquals(
                        Scenario.all().stream().map(Scenario::name).sorted().toList(),
                        List.copyOf(recorded.keySet()))));
        return Stream.concat(complete, same);
    }

    private static void record(Path file) throws IOException {
        String lines = Scenario.all().stream()
                .map(scenario -> scenario.name() + "," + String.join(",", digests(scenario, SEEDS)) + "\n")
                .collect(Collectors.joining());
        Files.writeString(file, lines);
    }

    private static SortedMap<String, List<String>> recorded() throws IOException {
        SortedMap<String, List<String>> recorded = new TreeMap<>();
        try (InputStream in = Objects.requireNonNull(DigestsTest.class.getResourceAsStream(RECORDED), RECORDED)) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                List<String> cells = List.of(line.split(","));
                recorded.put(cells.getFirst(), cells.subList(1, cells.size()));
            });
        }
        return recorded;
    }

    /** Of the first seeds, in order. */
    private static List<String> digests(Scenario scenario, int seeds) {
        return LongStream.rangeClosed(1, seeds)
                .parallel()
                .mapToObj(seed -> digest(Simulation.of(scenario, seed).run()))
                .toList();
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
