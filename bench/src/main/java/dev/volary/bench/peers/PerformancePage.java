// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The page of measurements: the machine, what was missing, and a section for each topic. A run replaces the sections that it
 * measures; it keeps the others if they were measured on the same machine with the same programs.
 */
final class PerformancePage {
    private static final double QUIET = 0.2;
    private static final String HEADING = "## ";
    private static final String MACHINE = "Machine";

    private final List<String> machine;
    private final List<String> missing;
    /** Lines of each section, by its heading. */
    private final Map<String, List<String>> sections = new LinkedHashMap<>();

    /**
     * @param facts of the machine, name and value
     * @param missing peers, a sentence each
     * @param before lines of the page that exists; empty if there is none
     */
    PerformancePage(List<List<String>> facts, List<String> missing, List<String> before) {
        this.machine =
                new Section(MACHINE).table(List.of("what", "value"), facts).lines(true);
        this.missing = missing;
        Map<String, List<String>> known = sections(before);
        List<String> other = known.remove(HEADING + MACHINE);
        if (other != null && other.containsAll(machine)) {
            sections.putAll(known);
        }
    }

    /** The page of this run; the one in the file may lend it sections. */
    static PerformancePage open(Path page, List<List<String>> facts, List<String> missing) throws IOException {
        return new PerformancePage(facts, missing, Files.exists(page) ? Files.readAllLines(page) : List.of());
    }

    private static Map<String, List<String>> sections(List<String> page) {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        List<String> current = new ArrayList<>();
        for (String line : page) {
            if (line.startsWith(HEADING)) {
                current = new ArrayList<>();
                sections.put(line, current);
            }
            current.add(line);
        }
        sections.values().forEach(lines -> {
            while (lines.getLast().isEmpty()) {
                lines.removeLast();
            }
        });
        return sections;
    }

    /**
     * Adds a section, or replaces the one of its heading.
     *
     * @param command that measured it
     * @param rounds runs of each program
     * @param busy cores that other programs used before the run; above {@link #QUIET} no goal is judged
     */
    void put(Section section, String command, int rounds, double busy) {
        boolean quiet = !(busy > QUIET);
        List<String> measured = section.lines(quiet);
        List<String> lines = new ArrayList<>();
        lines.add(measured.getFirst());
        lines.add("");
        lines.add("`%s`: %d %s of each program, in turn. Other programs used %s cores before."
                .formatted(command, rounds, rounds == 1 ? "run" : "runs", Section.number(busy)));
        if (!quiet) {
            lines.add(
                    "**So times are longer than on a quiet machine, by a factor that differs from program to program;");
            lines.add("the ratios show nothing, and no goal is judged.**");
        }
        lines.addAll(measured.subList(1, measured.size()));
        sections.put(measured.getFirst(), lines);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("# Performance");
        lines.add("");
        lines.add(
                "Volary beside programs that others use for the same problems: the same tolerance of the same true residual, in one run, in");
        lines.add(
                "turn. All numbers are medians unless a table says otherwise. Volary is faster where a ratio of times is below 1, or a ratio");
        lines.add(
                "of rates above 1. This page is generated (`bench/run peers --help`); each section names its command.");
        lines.add("");
        lines.addAll(machine);
        if (!missing.isEmpty()) {
            lines.add("");
            lines.add("Not compared, because it is not installed:");
            lines.add("");
            missing.forEach(sentence -> lines.add("- " + sentence));
        }
        for (List<String> section : sections.values()) {
            lines.add("");
            lines.addAll(section);
        }
        return lines;
    }

    /** Writes the page and the pictures of a section. */
    void write(Path page, Section section) throws IOException {
        Path file = page.toAbsolutePath();
        Path images = file.resolveSibling("../images").normalize();
        Files.createDirectories(file.resolveSibling(""));
        Files.createDirectories(images);
        for (Section.Picture picture : section.pictures()) {
            Files.write(images.resolve(picture.name()), picture.svg());
        }
        Files.write(file, lines());
    }
}
