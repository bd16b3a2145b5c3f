// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Describes the machine on which a run measures, from what Linux says about it. */
final class MachineFacts {
    private static final double KIBIBYTES_OF_GIBIBYTE = 1 << 20;

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

    /** Processes that wanted a core in the last minute, in the mean; more than those of the benchmark disturb it. */
    static String load() {
        return first("/proc/loadavg").split(" ", -1)[0];
    }

    private static String memory() {
        String size = field("/proc/meminfo", "MemTotal").replaceAll("\\D", "");
        return size.isEmpty()
                ? "unknown"
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
                    .orElse("unknown");
        } catch (IOException absent) {
            return "unknown";
        }
    }

    private static String first(String file) {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException absent) {
            return "unknown";
        }
    }
}
