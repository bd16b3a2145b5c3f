package dev.volary.crd;

import java.util.Map;

/**
 * How the state is kept safe.
 *
 * @param copies copies of each block's state; two if not given
 * @param interval iterations between copies, or {@code Auto}, which is the default
 * @param volume where committed snapshots go as well; free-form
 */
public record CheckpointSpec(int copies, String interval, Map<String, Object> volume) {
    private static final String AUTO = "Auto";

    static CheckpointSpec read(Fields in) {
        String interval = in.text("interval").orElse(AUTO);
        if (!interval.equals(AUTO) && !interval.matches("[1-9]\\d{0,8}")) {
            in.fault("interval", "is \"" + interval + "\"; write Auto, or a number of iterations in quotes");
        }
        return new CheckpointSpec(in.integer("copies", 1, 32).orElse(2), interval, in.free("volume"));
    }
}
