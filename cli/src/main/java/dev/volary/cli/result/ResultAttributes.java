package dev.volary.cli.result;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What a result says about itself: the attributes of the group {@code result.zarr}.
 *
 * @param job the job's name
 * @param problem the kind of problem
 * @param certifiedResidual {@code ‖r‖∞ / scale} of exactly this vector
 * @param certifiedResidualAbsolute {@code ‖r‖∞} of exactly this vector
 * @param tolerance bound of {@code ‖r‖∞ / scale} that was asked for
 * @param snapshot the snapshot that certified it
 * @param iterations iterations of all blocks, added
 */
public record ResultAttributes(
        String job,
        String problem,
        double certifiedResidual,
        double certifiedResidualAbsolute,
        double tolerance,
        long snapshot,
        long iterations) {

    /** As Zarr attributes. */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("job", job);
        map.put("problem", problem);
        map.put("certified_residual", certifiedResidual);
        map.put("certified_residual_absolute", certifiedResidualAbsolute);
        map.put("tolerance", tolerance);
        map.put("snapshot", snapshot);
        map.put("iterations", iterations);
        return map;
    }

    /** From Zarr attributes; what is missing is an empty text or NaN. */
    public static ResultAttributes of(Map<String, Object> map) {
        return new ResultAttributes(
                String.valueOf(map.getOrDefault("job", "")),
                String.valueOf(map.getOrDefault("problem", "")),
                number(map, "certified_residual").orElse(Double.NaN),
                number(map, "certified_residual_absolute").orElse(Double.NaN),
                number(map, "tolerance").orElse(Double.NaN),
                (long) number(map, "snapshot").orElse(0),
                (long) number(map, "iterations").orElse(0));
    }

    private static OptionalDouble number(Map<String, Object> map, String key) {
        return map.get(key) instanceof Number number ? OptionalDouble.of(number.doubleValue()) : OptionalDouble.empty();
    }
}
