package dev.volary.crd;

import java.util.Map;
import java.util.OptionalLong;

/**
 * How the state is kept safe.
 *
 * @param copies copies of each block's state; two if not given
 * @param interval iterations between copies, or {@code Auto}, which is the default
 * @param volume where committed snapshots go as well; free-form
 */
public record CheckpointSpec(int copies, String interval, Map<String, Object> volume) {
    /** Copies of each block's state if nothing else is said. */
    public static final int DEFAULT_COPIES = 2;

    private static final String AUTO = "Auto";

    /** Iterations between copies; none for {@code Auto}. */
    public OptionalLong iterations() {
        return interval.equals(AUTO) ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(interval));
    }

    static CheckpointSpec read(Fields in) {
        String interval = in.text("interval").orElse(AUTO);
        if (!interval.equals(AUTO) && !interval.matches("[1-9]\\d{0,8}")) {
            in.fault("interval", "is \"" + interval + "\"; write Auto, or a number of iterations in quotes");
        }
        return new CheckpointSpec(in.integer("copies", 1, 32).orElse(DEFAULT_COPIES), interval, in.free("volume"));
    }
}
