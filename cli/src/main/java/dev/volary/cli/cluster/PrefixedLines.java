// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.Style;
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

/** Lines of several pods in one output, whole and each behind its pod's name. Safe for several threads. */
final class PrefixedLines {
    private final PrintWriter out;
    private final List<UnaryOperator<String>> colours;
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();

    PrefixedLines(PrintWriter out, Style style) {
        this.out = out;
        this.colours = List.of(style::cyan, style::green, style::yellow, style::red);
    }

    /** Copies a log until its end. */
    void copy(String pod, InputStream log) throws IOException {
        int number = numbers.computeIfAbsent(pod, first -> numbers.size());
        String prefix = colours.get(number % colours.size()).apply(pod) + " | ";
        BufferedReader lines = new BufferedReader(new InputStreamReader(log, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            out.println(prefix + line); // one call, so that a PrintWriter keeps the line whole
        }
        out.flush();
    }
}
