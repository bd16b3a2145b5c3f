// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** The log of a pod: one JSON object per line. Whatever any library prints becomes such lines too. */
public final class JsonLog {
    private final PrintStream out;
    private final String worker;
    private final Clock clock;
    private volatile String newestError = "";

    /** @param worker name that each line carries */
    public JsonLog(PrintStream out, String worker, Clock clock) {
        this.out = out;
        this.worker = worker;
        this.clock = clock;
    }

    /** From now on everything that is printed goes here. */
    public void takeOver() {
        System.setErr(lines("WARN"));
        System.setOut(lines("INFO"));
    }

    public void info(String message) {
        write("INFO", message, List.of());
    }

    public void error(String message) {
        newestError = message;
        write("ERROR", message, List.of());
    }

    /** The newest error, as the reason why this process has ended; empty if there was none. */
    public String newestError() {
        return newestError;
    }

    /**
     * What happened to the job.
     *
     * @param event as a JSON object
     */
    public void event(String event) {
        JsonObject line = line("INFO", "event");
        JsonElement what = JsonParser.parseString(event);
        line.add("event", what);
        print(line);
    }

    private void write(String level, String message, List<String> more) {
        JsonObject line = line(level, message);
        if (!more.isEmpty()) {
            line.addProperty("trace", String.join("\n", more));
        }
        print(line);
    }

    private JsonObject line(String level, String message) {
        JsonObject line = new JsonObject();
        line.addProperty("time", clock.instant().toString());
        line.addProperty("level", level);
        line.addProperty("worker", worker);
        line.addProperty("message", message);
        return line;
    }

    private void print(JsonObject line) {
        synchronized (out) {
            out.println(line);
            out.flush();
        }
    }

    private PrintStream lines(String level) {
        return new PrintStream(new Lines(level), true, StandardCharsets.UTF_8);
    }

    /** Collects printed bytes to lines; a stack trace goes with the line before it. */
    private final class Lines extends OutputStream {
        private final String level;
        private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

        Lines(String level) {
            this.level = level;
        }

        @Override
        public synchronized void write(int b) {
            pending.write(b);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int count) {
            pending.write(bytes, from, count);
        }

        @Override
        public synchronized void flush() {
            String text = pending.toString(StandardCharsets.UTF_8);
            if (!text.endsWith("\n")) {
                return;
            }
            pending.reset();
            List<String> lines = new ArrayList<>(text.lines().toList());
            lines.removeIf(String::isBlank);
            if (!lines.isEmpty()) {
                JsonLog.this.write(level, lines.getFirst(), lines.subList(1, lines.size()));
            }
        }
    }
}
