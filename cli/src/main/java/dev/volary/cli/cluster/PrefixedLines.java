// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.console.Style;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Prints the lines of several pods, each whole and after its pod's name. Safe for several threads. */
final class PrefixedLines {
    private final PrintWriter out;
    private final List<UnaryOperator<String>> colors;
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();

    PrefixedLines(PrintWriter out, Style style) {
        this.out = out;
        this.colors = List.of(style::cyan, style::green, style::yellow, style::red);
    }

    /** Copies a log to its end. */
    void copy(String pod, InputStream log) throws IOException {
        int number = numbers.computeIfAbsent(pod, first -> numbers.size());
        String prefix = colors.get(number % colors.size()).apply(pod) + " | ";
        BufferedReader lines = new BufferedReader(new InputStreamReader(log, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            out.println(prefix + line); // one call, since a PrintWriter keeps only single calls whole
        }
        out.flush();
    }
}
