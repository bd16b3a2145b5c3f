// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The page of a run: the machine, what was missing, and a section for each topic. */
final class PerformancePage {
    private static final double QUIET = 0.2;

    private PerformancePage() {}

    /**
     * The lines of the page.
     *
     * @param command that made it
     * @param facts of the machine, name and value
     * @param busy cores that other programs used before the run; above {@link #QUIET} the page judges no goal
     * @param missing peers, a sentence each
     */
    static List<String> lines(
            String command, List<List<String>> facts, double busy, List<String> missing, List<Section> sections) {
        boolean quiet = !(busy > QUIET);
        List<String> lines = new ArrayList<>();
        lines.add("# Performance");
        lines.add("");
        lines.add(
                "Volary beside programs that others use for the same problems: the same tolerance of the same true residual, in one run, in");
        lines.add(
                "turn. All numbers are medians unless a table says otherwise. Volary is faster where a ratio of times is below 1, or a ratio");
        lines.add("of rates above 1. This page is generated (`bench/run peers --help`) by");
        lines.add("");
        lines.add("    " + command);
        if (!quiet) {
            lines.add("");
            lines.add(
                    "**Other programs used %s cores of this machine before the run.** Times are longer than on a quiet machine, by a factor that"
                            .formatted(Section.number(busy)));
            lines.add("differs from program to program. So the ratios show nothing, and no goal is judged.");
        }
        Section machine = new Section("Machine").table(List.of("what", "value"), facts);
        lines.add("");
        lines.addAll(machine.lines(quiet));
        if (!missing.isEmpty()) {
            lines.add("");
            lines.add("Not compared, because it is not installed:");
            lines.add("");
            missing.forEach(sentence -> lines.add("- " + sentence));
        }
        for (Section section : sections) {
            lines.add("");
            lines.addAll(section.lines(quiet));
        }
        return lines;
    }

    /** Writes the page and its pictures. */
    static void write(Path page, List<String> lines, List<Section> sections) throws IOException {
        Path file = page.toAbsolutePath();
        Path images = file.resolveSibling("../images").normalize();
        Files.createDirectories(file.resolveSibling(""));
        Files.createDirectories(images);
        for (Section section : sections) {
            for (Section.Picture picture : section.pictures()) {
                Files.write(images.resolve(picture.name()), picture.svg());
            }
        }
        Files.write(file, lines);
    }
}
