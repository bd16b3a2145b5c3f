// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.console.Units;
import dev.volary.mesh.spawnerapi.FetchProgress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * Shows how far a transfer is, in one line that it overwrites, and sums it up at the end. The rate is that of the last ten
 * seconds, so that a transfer that slows down or stops shows it. For one thread.
 */
final class TransferDisplay implements FetchProgress, AutoCloseable {
    /** Whether there is a line to overwrite. */
    enum Mode {
        LINE,
        NONE
    }

    private static final long REDRAW_NANOS = Duration.ofMillis(200).toNanos();
    private static final long WINDOW_NANOS = Duration.ofSeconds(10).toNanos();
    private static final String CLEAR_TO_END_OF_LINE = "\u001b[K";

    private record Sample(long nanos, long bytes) {}

    private final PrintWriter out;
    private final Mode mode;
    private final LongSupplier clock;
    private final ArrayDeque<Sample> window = new ArrayDeque<>();
    private long startNanos;
    private long lastNanos;
    private long keptBytes;
    private long arrivedBytes;
    private boolean isTransferring;
    private boolean isDrawn;
    private long drawnNanos;

    /** @param clock in nanoseconds */
    TransferDisplay(PrintWriter out, Mode mode, LongSupplier clock) {
        this.out = out;
        this.mode = mode;
        this.clock = clock;
    }

    @Override
    public void at(long bytes, long totalBytes) {
        long now = clock.getAsLong();
        if (totalBytes > 0 && !isTransferring) {
            isTransferring = true;
            startNanos = now;
            keptBytes = bytes;
        }
        if (isTransferring && totalBytes > 0) {
            lastNanos = now;
            arrivedBytes = bytes;
            window.addLast(new Sample(now, bytes));
            while (window.size() > 2 && now - window.getFirst().nanos > WINDOW_NANOS) {
                window.removeFirst();
            }
        }
        boolean isLast = totalBytes > 0 && bytes >= totalBytes;
        if (mode == Mode.LINE && (!isDrawn || isLast || now - drawnNanos >= REDRAW_NANOS)) {
            isDrawn = true;
            drawnNanos = now;
            out.print("\r" + line(bytes, totalBytes) + CLEAR_TO_END_OF_LINE);
            out.flush();
        }
    }

    private String line(long bytes, long totalBytes) {
        if (totalBytes <= 0) {
            return "  listing the files of the result";
        }
        StringBuilder line = new StringBuilder("  ")
                .append(100 * bytes / totalBytes)
                .append(" %, ")
                .append(Units.bytes(bytes))
                .append(" of ")
                .append(Units.bytes(totalBytes));
        long rate = rate(window.getFirst(), window.getLast());
        if (rate > 0) {
            line.append(", ")
                    .append(Units.bytes(rate))
                    .append("/s, ")
                    .append(Units.time(Duration.ofSeconds(Math.ceilDiv(totalBytes - bytes, rate))))
                    .append(" left");
        }
        return line.toString();
    }

    private static long rate(Sample first, Sample last) {
        double seconds = (last.nanos - first.nanos) / 1e9;
        return seconds > 0 ? (long) (Math.max(0, last.bytes - first.bytes) / seconds) : 0;
    }

    /** What was transferred, in which time, and what was here before. */
    String summary() {
        Duration time = Duration.ofNanos(lastNanos - startNanos);
        long rate = rate(new Sample(startNanos, keptBytes), new Sample(lastNanos, arrivedBytes));
        return Units.bytes(Math.max(0, arrivedBytes - keptBytes)) + " in " + Units.time(time)
                + (rate > 0 ? ", " + Units.bytes(rate) + "/s" : "")
                + (keptBytes > 0 ? "; " + Units.bytes(keptBytes) + " were here from an earlier fetch" : "");
    }

    /** Removes the line. */
    @Override
    public void close() {
        if (isDrawn) {
            isDrawn = false;
            out.print("\r" + CLEAR_TO_END_OF_LINE);
            out.flush();
        }
    }
}
