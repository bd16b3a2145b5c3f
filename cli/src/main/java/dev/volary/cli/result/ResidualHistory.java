// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads and writes the file {@code residuals.csv}: one line per snapshot, flushed at once. */
public final class ResidualHistory implements AutoCloseable {
    private static final String HEADER = "time_s,snapshot,residual_relative,residual_absolute,iterations";

    private final Path file;
    private final BufferedWriter out;

    private ResidualHistory(Path file, BufferedWriter out) {
        this.file = file;
        this.out = out;
    }

    /**
     * One snapshot.
     *
     * @param time since all blocks iterate
     * @param snapshot its number
     * @param relative certified {@code ‖r‖ / scale}
     * @param absolute certified {@code ‖r‖}
     * @param iterations iterations of all blocks together so far
     */
    public record Sample(Duration time, long snapshot, double relative, double absolute, long iterations) {}

    /** Creates the file, replacing an earlier one. */
    public static ResidualHistory create(Path file) throws IOException {
        BufferedWriter out = Files.newBufferedWriter(file);
        ResidualHistory history = new ResidualHistory(file, out);
        history.line(HEADER);
        return history;
    }

    /** Appends a snapshot. */
    public void add(Sample sample) throws IOException {
        line(String.format(
                Locale.ROOT,
                "%.6f,%d,%s,%s,%d",
                sample.time().toNanos() / 1e9,
                sample.snapshot(),
                sample.relative(),
                sample.absolute(),
                sample.iterations()));
    }

    /**
     * Reads a file that {@link #add} wrote.
     *
     * @throws IOException if it cannot be read or a line is malformed; names the line
     */
    public static List<Sample> read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.getFirst().equals(HEADER)) {
            throw new IOException(
                    file + " does not start with the line " + HEADER + "; give a residuals.csv of this version");
        }
        List<Sample> samples = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            samples.add(sample(file, i + 1, lines.get(i)));
        }
        return samples;
    }

    private static Sample sample(Path file, int number, String line) throws IOException {
        String[] cells = line.split(",", -1);
        try {
            return new Sample(
                    Duration.ofNanos(Math.round(Double.parseDouble(cells[0]) * 1e9)),
                    Long.parseLong(cells[1]),
                    Double.parseDouble(cells[2]),
                    Double.parseDouble(cells[3]),
                    Long.parseLong(cells[4]));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException malformed) {
            throw new IOException(
                    file + ":" + number + " is malformed: \"" + line + "\"; run the job again", malformed);
        }
    }

    private void line(String line) throws IOException {
        try {
            out.write(line);
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
