// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Describes the machine on which a run measures, from what Linux says about it. */
final class MachineFacts {
    private static final double KIBIBYTES_OF_GIBIBYTE = 1 << 20;

    private static final long WATCH_MILLIS = 3000;
    private static final int IDLE = 3;
    private static final String UNKNOWN = "unknown";

    private MachineFacts() {}

    /** Name and value of each fact. */
    static List<List<String>> read(List<String> versions) {
        List<List<String>> facts = new ArrayList<>();
        facts.add(List.of("processor", field("/proc/cpuinfo", "model name") + ", " + caches()));
        facts.add(List.of("cores", Integer.toString(Runtime.getRuntime().availableProcessors())));
        facts.add(List.of("memory", memory()));
        facts.add(List.of("system", System.getProperty("os.name") + " " + System.getProperty("os.version")));
        facts.add(List.of("Java", System.getProperty("java.vm.name") + " " + Runtime.version()));
        facts.add(List.of("peers", String.join(", ", versions)));
        return facts;
    }

    /**
     * Cores that other programs keep busy while this one waits for a moment; NaN if the system does not say. The load average would
     * not do, for it still contains the build before the run.
     */
    static double busyCores() throws InterruptedException {
        long[] before = processorTimes();
        Thread.sleep(WATCH_MILLIS);
        long[] after = processorTimes();
        if (before.length <= IDLE || after.length != before.length) {
            return Double.NaN;
        }
        double all = Arrays.stream(after).sum() - Arrays.stream(before).sum();
        double idle = after[IDLE] - before[IDLE];
        return Runtime.getRuntime().availableProcessors() * (all - idle) / all;
    }

    /** User, nice, system and idle time of all cores, and more; empty if not known. */
    private static long[] processorTimes() {
        String line = first("/proc/stat").lines().findFirst().orElse("");
        return line.startsWith("cpu ")
                ? Arrays.stream(line.substring("cpu ".length()).strip().split(" ", -1))
                        .mapToLong(Long::parseLong)
                        .toArray()
                : new long[0];
    }

    private static String memory() {
        String size = field("/proc/meminfo", "MemTotal").replaceAll("\\D", "");
        return size.isEmpty()
                ? UNKNOWN
                : String.format(Locale.ROOT, "%.0f GiB", Long.parseLong(size) / KIBIBYTES_OF_GIBIBYTE);
    }

    private static String caches() {
        List<String> caches = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of("/sys/devices/system/cpu/cpu0/cache"))) {
            for (Path cache : all.sorted().toList()) {
                if (Files.exists(cache.resolve("size"))
                        && !first(cache.resolve("type").toString()).equals("Instruction")) {
                    caches.add("L" + first(cache.resolve("level").toString()) + " "
                            + first(cache.resolve("size").toString()));
                }
            }
        } catch (IOException absent) {
            return "unknown caches";
        }
        return String.join(", ", caches);
    }

    private static String field(String file, String name) {
        try {
            return Files.readAllLines(Path.of(file)).stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException absent) {
            return UNKNOWN;
        }
    }

    private static String first(String file) {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException absent) {
            return UNKNOWN;
        }
    }
}
