// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A section of the page, in Markdown, with its pictures. */
final class Section {
    private static final int LINE = 140;

    private final List<String> lines = new ArrayList<>();
    private final Map<Integer, String> verdicts = new HashMap<>();
    private final List<Picture> pictures = new ArrayList<>();

    /**
     * A picture of the section.
     *
     * @param name of its file, without folder
     * @param svg its lines
     */
    record Picture(String name, List<String> svg) {}

    Section(String heading) {
        lines.add("## " + heading);
    }

    /** Adds a paragraph, whose lines are broken again. */
    Section text(String paragraph) {
        lines.add("");
        StringBuilder line = new StringBuilder();
        for (String word : paragraph.strip().split("\\s+", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > LINE) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return this;
    }

    /** Adds a table. */
    Section table(List<String> header, List<List<String>> rows) {
        lines.add("");
        lines.add("| " + String.join(" | ", header) + " |");
        lines.add("|" + "---|".repeat(header.size()));
        rows.forEach(row -> lines.add("| " + String.join(" | ", row) + " |"));
        return this;
    }

    /** Adds a picture. */
    Section picture(String name, String description, List<String> svg) {
        lines.add("");
        lines.add("![" + description + "](../images/" + name + ")");
        pictures.add(new Picture(name, List.copyOf(svg)));
        return this;
    }

    /** Adds what a ratio must be, with what it is; nothing if it could not be measured. */
    Section goal(String ratio, double value, Goal goal) {
        if (!Double.isNaN(value)) {
            lines.add("");
            lines.add("%s: **%s**. The goal is %s.".formatted(ratio, number(value), goal));
            verdicts.put(lines.size() - 1, goal.isReachedBy(value) ? " Reached." : " Missed.");
        }
        return this;
    }

    /**
     * The section in Markdown.
     *
     * @param judges whether it says which goals were reached
     */
    List<String> lines(boolean judges) {
        List<String> all = new ArrayList<>(lines);
        if (judges) {
            verdicts.forEach((line, verdict) -> all.set(line, lines.get(line) + verdict));
        }
        return all;
    }

    List<Picture> pictures() {
        return pictures;
    }

    /** A bound of a ratio. */
    record Goal(double bound, boolean atLeast) {
        static Goal atMost(double bound) {
            return new Goal(bound, false);
        }

        static Goal atLeast(double bound) {
            return new Goal(bound, true);
        }

        boolean isReachedBy(double value) {
            return atLeast ? value >= bound : value <= bound;
        }

        @Override
        public String toString() {
            return (atLeast ? "at least " : "at most ") + number(bound);
        }
    }

    /** Three significant digits without an exponent, a dash for what was not measured. */
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "–";
        }
        if (value == 0) {
            return "0";
        }
        int digits = Math.clamp(2 - (int) Math.floor(Math.log10(Math.abs(value))), 0, 6);
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    /** A whole number, or one digit behind the point where that says more. */
    static String count(double value) {
        return Double.isNaN(value)
                ? "–"
                : String.format(Locale.ROOT, value >= 100 || value == Math.rint(value) ? "%.0f" : "%.1f", value);
    }

    /** One digit and an exponent. */
    static String small(double value) {
        return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%.1e", value);
    }
}
