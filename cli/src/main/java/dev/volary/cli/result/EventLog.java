// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import dev.volary.cli.console.JsonText;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes the file {@code events.jsonl}: one JSON object per event and line, flushed at once. */
public final class EventLog implements AutoCloseable {
    private final Path file;
    private final BufferedWriter out;

    private EventLog(Path file, BufferedWriter out) {
        this.file = file;
        this.out = out;
    }

    /** Creates the file, replacing an earlier one. */
    public static EventLog create(Path file) throws IOException {
        return new EventLog(file, Files.newBufferedWriter(file));
    }

    /**
     * Appends an event.
     *
     * @param at time of the event
     * @param type event type, for example {@code daemon-lost}
     * @param details further fields: strings, numbers, booleans, lists and maps of them
     */
    public void add(Instant at, String type, Map<String, ?> details) throws IOException {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("time", at.toString());
        event.put("type", type);
        event.putAll(details);
        try {
            out.write(JsonText.line(event));
            out.newLine();
            out.flush();
        } catch (IOException failed) {
            throw OutputFolder.notWritten(file, failed);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
