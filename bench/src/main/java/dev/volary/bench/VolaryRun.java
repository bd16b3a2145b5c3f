// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * One {@code volary run} as a user starts it, watched through its JSON lines.
 *
 * @param seconds from start to exit of the command
 * @param status its exit status
 * @param lines what it said
 */
public record VolaryRun(double seconds, int status, List<JsonNode> lines) {
    /** Runs a manifest to its end in a folder of its own, which is removed. */
    public static VolaryRun of(String manifest, String... options) throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (StartedJob job = StartedJob.start(manifest, Map.of(), Arrays.stream(options))) {
            int status = job.end();
            return new VolaryRun((System.nanoTime() - start) / 1e9, status, job.lines());
        }
    }

    /** The time of the first event of a type, in seconds since the start of the run. */
    public double secondsUntil(String event) {
        return lines.stream()
                .filter(line -> line.path("event").asText().equals(event))
                .map(line -> line.path("time_s").asDouble())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the run has no event " + event + ", status " + status));
    }

    /** A number of the summary. */
    public double summary(String field) {
        return lines.stream()
                .filter(line -> line.path("type").asText().equals("summary"))
                .map(line -> line.path(field).asDouble())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the run ended without a summary, status " + status));
    }

    /**
     * Iterations of all blocks in a second, after warm-up.
     *
     * @param warm seconds after the first report of iterations that do not count
     */
    double iterationsPerSecond(double warm) {
        double from = Double.NaN;
        double first = Double.NaN;
        double startTime = 0;
        double endTime = 0;
        double last = 0;
        for (JsonNode line : lines) {
            if (!line.path("type").asText().equals("daemons")) {
                continue;
            }
            double iterations = 0;
            for (JsonNode daemon : line.path("daemons")) {
                iterations += daemon.path("iterations").asDouble();
            }
            double time = line.path("time_s").asDouble();
            if (iterations > 0 && Double.isNaN(from)) {
                from = time;
            }
            if (time >= from + warm && Double.isNaN(first)) {
                first = iterations;
                startTime = time;
            }
            endTime = time;
            last = iterations;
        }
        if (!(endTime > startTime + 1)) {
            throw new IllegalStateException("the run was too short to measure after " + warm + " s of warm-up");
        }
        return (last - first) / (endTime - startTime);
    }
}
