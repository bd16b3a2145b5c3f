// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.volary.bench.VolaryRun;
import java.io.IOException;
import java.util.List;

/**
 * One run of a program to its end.
 *
 * @param iterations in the program's own unit
 * @param residual the true residual of the result, relative as in the problem's tolerance
 * @param setupSeconds until it iterates
 * @param solveSeconds from iterating to the result
 * @param wholeSeconds of the command
 */
record PeerResult(double iterations, double residual, double setupSeconds, double solveSeconds, double wholeSeconds) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Reads the last line of JSON that a program printed.
     *
     * @throws IOException if there is none, or it says that the program did not converge
     */
    static PeerResult parse(String output, double wholeSeconds) throws IOException {
        List<String> lines = output.lines().filter(line -> line.startsWith("{")).toList();
        if (lines.isEmpty()) {
            throw new IOException("it printed no result but: " + output.strip());
        }
        return of(JSON.readTree(lines.getLast()), wholeSeconds);
    }

    /** As above, of a line that is parsed. */
    static PeerResult of(JsonNode line, double wholeSeconds) throws IOException {
        if (!line.path("converged").asBoolean()) {
            throw new IOException("it did not converge: " + line);
        }
        return new PeerResult(
                line.path("iterations").asDouble(),
                line.path("residual").asDouble(),
                line.path("setup_s").asDouble(),
                line.path("solve_s").asDouble(),
                wholeSeconds);
    }

    /**
     * Of a command of Volary.
     *
     * @param blocks of the job; the iterations are those of each block
     * @throws IOException if it ended without a certified result
     */
    static PeerResult of(VolaryRun run, int blocks) throws IOException {
        if (run.status() != 0) {
            throw new IOException("it ended with status " + run.status());
        }
        return new PeerResult(
                run.summary("iterations") / blocks,
                run.summary("residual"),
                run.secondsUntil("all-iterating"),
                run.summary("computing_s"),
                run.seconds());
    }
}
