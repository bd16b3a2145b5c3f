// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * When workers failed and time steps were committed, since all blocks iterated for the first time: what a residual curve marks.
 *
 * @param failures injected faults, and workers that ended by themselves with an error
 * @param steps commits of time steps
 */
public record RunMarks(List<Duration> failures, List<Duration> steps) {
    /** Of a run without any. */
    public static final RunMarks NONE = new RunMarks(List.of(), List.of());

    private static final JsonFactory FACTORY = new JsonFactory();

    public RunMarks {
        failures = List.copyOf(failures);
        steps = List.copyOf(steps);
    }

    /**
     * Reads the file that {@link EventLog} writes. Lines that are no events are skipped.
     *
     * @throws IOException if it cannot be read
     */
    public static RunMarks read(Path events) throws IOException {
        List<Instant> failures = new ArrayList<>();
        List<Instant> steps = new ArrayList<>();
        Optional<Instant> start = Optional.empty();
        for (String line : Files.readAllLines(events)) {
            Map<String, String> event = fields(line);
            Optional<Instant> at = time(event);
            if (at.isEmpty()) {
                continue;
            }
            switch (event.getOrDefault("type", "")) {
                case "all-iterating" -> start = start.or(() -> at);
                case "fault-injected" -> failures.add(at.get());
                case "worker-ended" -> {
                    if (isFailure(event)) {
                        failures.add(at.get());
                    }
                }
                case "step-committed" -> steps.add(at.get());
                default -> {
                    // A curve does not show it.
                }
            }
        }
        return start.map(since -> new RunMarks(since(since, failures), since(since, steps)))
                .orElse(NONE);
    }

    /** A fault that was injected has an event of its own, and an evicted worker restarts by itself. */
    private static boolean isFailure(Map<String, String> ended) {
        return !"0".equals(ended.get("status"))
                && "false".equals(ended.get("provoked"))
                && "false".equals(ended.get("evicted"));
    }

    private static List<Duration> since(Instant start, List<Instant> times) {
        return times.stream()
                .map(time -> Duration.between(start, time))
                .filter(time -> !time.isNegative())
                .toList();
    }

    private static Optional<Instant> time(Map<String, String> event) {
        try {
            return Optional.ofNullable(event.get("time")).map(Instant::parse);
        } catch (DateTimeException malformed) {
            return Optional.empty();
        }
    }

    /** The fields of an object that are no objects or lists themselves, as text. */
    private static Map<String, String> fields(String line) throws IOException {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser parser = FACTORY.createParser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Map.of();
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (parser.nextToken().isScalarValue()) {
                    fields.put(name, parser.getText());
                } else {
                    parser.skipChildren();
                }
            }
        } catch (JsonProcessingException torn) {
            return Map.of(); // the last line of a run that was killed
        }
        return fields;
    }
}
