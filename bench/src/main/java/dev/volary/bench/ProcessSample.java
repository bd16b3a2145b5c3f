// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a process holds after a number of replacements. Works on Linux.
 *
 * @param process its name
 * @param replacements until now
 * @param seconds since the start of the job
 * @param liveBytes of its Java heap, after a collection
 * @param residentBytes of its memory
 * @param threads that it runs
 * @param handles files and sockets that it has open
 * @param opened connections that all processes of its network namespace have opened or tried to open since it exists
 */
record ProcessSample(
        String process,
        int replacements,
        double seconds,
        double liveBytes,
        double residentBytes,
        double threads,
        double handles,
        double opened) {
    private static final double MEGABYTE = 1 << 20;

    /** What is judged and drawn. */
    enum Measured {
        LIVE("live heap, MB"),
        RESIDENT("resident memory, MB"),
        THREADS("threads"),
        HANDLES("open files and sockets");

        private final String title;

        Measured(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        double of(ProcessSample sample) {
            return switch (this) {
                case LIVE -> sample.liveBytes / MEGABYTE;
                case RESIDENT -> sample.residentBytes / MEGABYTE;
                case THREADS -> sample.threads;
                case HANDLES -> sample.handles;
            };
        }

        /** The mean of a process over samples within these numbers of replacements. */
        double mean(List<ProcessSample> samples, String process, double from, double to) {
            return samples.stream()
                    .filter(s -> s.process.equals(process) && s.replacements >= from && s.replacements <= to)
                    .mapToDouble(this::of)
                    .average()
                    .orElse(Double.NaN);
        }
    }

    /** Connections a replacement opened between two numbers of replacements. */
    static double openedEach(List<ProcessSample> samples, double from, double to) {
        List<ProcessSample> within = samples.stream()
                .filter(s -> s.replacements >= from && s.replacements <= to)
                .toList();
        ProcessSample first = within.getFirst();
        ProcessSample last = within.getLast();
        return (last.opened - first.opened) / Math.max(1, last.replacements - first.replacements);
    }

    /** Samples a process. */
    static ProcessSample of(String name, long pid, int replacements, double seconds)
            throws IOException, InterruptedException {
        Path proc = Path.of("/proc", Long.toString(pid));
        try (Stream<Path> handles = Files.list(proc.resolve("fd"))) {
            return new ProcessSample(
                    name,
                    replacements,
                    seconds,
                    liveBytes(pid),
                    1024 * status(proc, "VmRSS"),
                    status(proc, "Threads"),
                    handles.count(),
                    opened(proc));
        }
    }

    private static double status(Path proc, String key) throws IOException {
        for (String line : Files.readAllLines(proc.resolve("status"))) {
            if (line.startsWith(key + ":")) {
                return Double.parseDouble(
                        line.substring(key.length() + 1).replace("kB", "").strip());
            }
        }
        throw new IOException(proc + "/status has no " + key);
    }

    private static double opened(Path proc) throws IOException {
        List<String[]> tcp = Files.readAllLines(proc.resolve("net/snmp")).stream()
                .filter(line -> line.startsWith("Tcp:"))
                .map(line -> line.split(" "))
                .toList();
        return Double.parseDouble(tcp.getLast()[List.of(tcp.getFirst()).indexOf("ActiveOpens")]);
    }

    /** The total of a histogram of live objects. */
    private static double liveBytes(long pid) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process histogram = new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String[] total = {};
        List<String> lines = histogram.inputReader().lines().toList();
        for (String line : lines) {
            if (line.startsWith("Total")) {
                total = line.split("\\s+");
            }
        }
        if (histogram.waitFor() != 0 || total.length < 3) {
            throw new IOException("jcmd cannot read the heap of process " + pid + ": " + lines);
        }
        return Double.parseDouble(total[2]);
    }

    /** The names of all sampled processes, in order. */
    static Set<String> processes(List<ProcessSample> samples) {
        Set<String> names = new LinkedHashSet<>();
        samples.forEach(sample -> names.add(sample.process));
        return names;
    }

    static List<String> csv(List<ProcessSample> samples) {
        List<String> lines = new ArrayList<>(
                List.of("process,replacements,seconds,live_bytes,resident_bytes,threads,handles,connections_opened"));
        for (ProcessSample s : samples) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%s,%d,%.1f,%.0f,%.0f,%.0f,%.0f,%.0f",
                    s.process,
                    s.replacements,
                    s.seconds,
                    s.liveBytes,
                    s.residentBytes,
                    s.threads,
                    s.handles,
                    s.opened));
        }
        return lines;
    }
}
