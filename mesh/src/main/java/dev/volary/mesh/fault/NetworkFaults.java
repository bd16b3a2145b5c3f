// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Faults to inject at the receiving end of links. Halo frames suffer all of them; control messages are delayed and cut off by
 * partitions only, since they are repeated until they arrive.
 *
 * <p>As text: {@code delay=20ms±5ms,loss=0.2,duplicate=0.05,reorder=0.1,rate=10MB/s,partition=daemon-1|daemon-2@5s+10s}; each
 * part may be left out; partitions may be several, and have no end without {@code @start+length}.
 *
 * @param delay mean time that each message takes longer
 * @param jitter largest deviation from it, uniformly distributed; at most {@code delay}
 * @param loss probability that a frame vanishes
 * @param duplicate probability that a frame arrives twice
 * @param reorder probability that a frame arrives after the next one of its link
 * @param bytesPerSecond rate of each link; infinite for no limit
 * @param partitions pairs of workers that cannot reach each other
 */
public record NetworkFaults(
        Duration delay,
        Duration jitter,
        double loss,
        double duplicate,
        double reorder,
        double bytesPerSecond,
        List<Partition> partitions) {

    /** Nothing is injected. */
    public static final NetworkFaults NONE =
            new NetworkFaults(Duration.ZERO, Duration.ZERO, 0, 0, 0, Double.POSITIVE_INFINITY, List.of());

    private static final Pattern DURATION = Pattern.compile("(\\d+(?:\\.\\d+)?)(us|ms|s)");
    private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?)(B|kB|MB|GB)/s");
    private static final Pattern PARTITION = Pattern.compile("([^|@]+)\\|([^|@]+)(?:@([^+]+)\\+(.+))?");

    public NetworkFaults {
        partitions = List.copyOf(partitions);
        probability("loss", loss);
        probability("duplicate", duplicate);
        probability("reorder", reorder);
        if (delay.isNegative() || jitter.isNegative() || jitter.compareTo(delay) > 0) {
            throw new IllegalArgumentException(
                    "faults: delay is " + delay + "±" + jitter + ", must be delay ≥ jitter ≥ 0");
        }
        if (!(bytesPerSecond > 0)) {
            throw new IllegalArgumentException("faults: rate is " + bytesPerSecond + " B/s, must be positive");
        }
    }

    /**
     * Two workers, by name, that cannot reach each other for a time.
     *
     * @param start after the start of the mesh
     * @param length how long; {@link #FOREVER} for no end
     */
    public record Partition(String one, String other, Duration start, Duration length) {
        /** Without end. */
        public static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

        boolean isCut(String a, String b, long sinceStart) {
            boolean pair = (one.equals(a) && other.equals(b)) || (one.equals(b) && other.equals(a));
            long from = start.toNanos();
            return pair && sinceStart >= from && sinceStart - from < length.toNanos();
        }
    }

    /** Whether anything is injected. */
    public boolean isActive() {
        return !equals(NONE);
    }

    /** Whether {@code a} and {@code b} cannot reach each other this many nanoseconds after the start of the mesh. */
    public boolean isCut(String a, String b, long sinceStart) {
        for (Partition partition : partitions) {
            if (partition.isCut(a, b, sinceStart)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Reads the text form; empty text means no faults.
     *
     * @throws IllegalArgumentException naming the part, its value and what it should look like
     */
    public static NetworkFaults parse(String text) {
        Duration delay = Duration.ZERO;
        Duration jitter = Duration.ZERO;
        double loss = 0;
        double duplicate = 0;
        double reorder = 0;
        double rate = Double.POSITIVE_INFINITY;
        List<Partition> partitions = new ArrayList<>();
        for (String part : text.isBlank() ? new String[0] : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String key = equals < 0 ? part.trim() : part.substring(0, equals).trim();
            String value = equals < 0 ? "" : part.substring(equals + 1).trim();
            switch (key) {
                case "delay" -> {
                    String[] both = value.split("±|\\+-", 2);
                    delay = duration(key, both[0]);
                    jitter = both.length > 1 ? duration(key, both[1]) : Duration.ZERO;
                }
                case "loss" -> loss = number(key, value);
                case "duplicate" -> duplicate = number(key, value);
                case "reorder" -> reorder = number(key, value);
                case "rate" -> rate = rate(value);
                case "partition" -> partitions.add(partition(value));
                default ->
                    throw new IllegalArgumentException("faults: '" + part
                            + "' is unknown; known are delay, loss, duplicate, reorder, rate and partition");
            }
        }
        return new NetworkFaults(delay, jitter, loss, duplicate, reorder, rate, partitions);
    }

    private static void probability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("faults: " + name + " is " + value + ", must be in 0..1");
        }
    }

    private static double number(String key, String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("faults: " + key + " is '" + value + "', must be a number in 0..1", e);
        }
    }

    private static Duration duration(String key, String value) {
        Matcher matcher = DURATION.matcher(value.trim());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "faults: " + key + " is '" + value + "', must be a number and one of us, ms, s");
        }
        double unit =
                switch (matcher.group(2)) {
                    case "us" -> 1e3;
                    case "ms" -> 1e6;
                    default -> 1e9;
                };
        return Duration.ofNanos(Math.round(Double.parseDouble(matcher.group(1)) * unit));
    }

    private static double rate(String value) {
        Matcher matcher = RATE.matcher(value);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "faults: rate is '" + value + "', must be a number and one of B/s, kB/s, MB/s, GB/s");
        }
        double unit =
                switch (matcher.group(2)) {
                    case "kB" -> 1e3;
                    case "MB" -> 1e6;
                    case "GB" -> 1e9;
                    default -> 1;
                };
        return Double.parseDouble(matcher.group(1)) * unit;
    }

    private static Partition partition(String value) {
        Matcher matcher = PARTITION.matcher(value);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("faults: partition is '" + value
                    + "', must be two names of workers, as daemon-1|daemon-2 or daemon-1|daemon-2@5s+10s");
        }
        String start = matcher.group(3);
        String length = matcher.group(4);
        return new Partition(
                matcher.group(1).trim(),
                matcher.group(2).trim(),
                start == null ? Duration.ZERO : duration("partition", start),
                length == null ? Partition.FOREVER : duration("partition", length));
    }

    /** The text form. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        if (!delay.isZero()) {
            parts.add("delay=" + text(delay) + (jitter.isZero() ? "" : "±" + text(jitter)));
        }
        addProbability(parts, "loss", loss);
        addProbability(parts, "duplicate", duplicate);
        addProbability(parts, "reorder", reorder);
        if (bytesPerSecond < Double.POSITIVE_INFINITY) {
            parts.add(String.format(Locale.ROOT, "rate=%.0fB/s", bytesPerSecond));
        }
        for (Partition p : partitions) {
            String window = p.length().equals(Partition.FOREVER) ? "" : "@" + text(p.start()) + "+" + text(p.length());
            parts.add("partition=" + p.one() + "|" + p.other() + window);
        }
        return String.join(",", parts);
    }

    private static void addProbability(List<String> parts, String name, double value) {
        if (value > 0) {
            parts.add(name + "=" + value);
        }
    }

    private static String text(Duration duration) {
        return String.format(Locale.ROOT, "%.3fus", duration.toNanos() / 1e3);
    }
}
