// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Formats text in columns, aligned to the left or to the right. */
public final class Table {
    private final List<String> header;
    private final boolean[] right;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * @param header one title per column; a title that starts with {@code >} aligns its column to the right
     */
    public Table(String... header) {
        this.header = Arrays.stream(header)
                .map(h -> h.startsWith(">") ? h.substring(1) : h)
                .toList();
        this.right = new boolean[header.length];
        for (int c = 0; c < header.length; c++) {
            right[c] = header[c].startsWith(">");
        }
    }

    /** Adds a row. */
    public void row(String... cells) {
        if (cells.length != right.length) {
            throw new IllegalArgumentException(cells.length + " cells for " + right.length + " columns");
        }
        rows.add(List.of(cells));
    }

    /** The header and the rows, without trailing spaces. */
    public List<String> lines(Style style) {
        int[] width = new int[right.length];
        for (int c = 0; c < width.length; c++) {
            int column = c;
            width[c] = Math.max(
                    header.get(c).length(),
                    rows.stream().mapToInt(r -> r.get(column).length()).max().orElse(0));
        }
        List<String> lines = new ArrayList<>();
        lines.add(style.faint(line(header, width)));
        rows.forEach(row -> lines.add(line(row, width)));
        return lines;
    }

    private String line(List<String> cells, int[] width) {
        StringBuilder line = new StringBuilder();
        for (int c = 0; c < width.length; c++) {
            String blanks = " ".repeat(width[c] - cells.get(c).length());
            line.append(c == 0 ? "" : "  ")
                    .append(right[c] ? blanks : "")
                    .append(cells.get(c))
                    .append(right[c] ? "" : blanks);
        }
        return line.toString().stripTrailing();
    }
}
