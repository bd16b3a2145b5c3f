package dev.volary.crd;

import java.util.Map;
import java.util.Optional;

/**
 * The processes that compute.
 *
 * @param replicas how many; {@value #DEFAULT_REPLICAS} if not given
 * @param min the fewest that scaling may leave
 * @param max the most that scaling may start
 * @param standbys started processes that wait for a block; none if not given
 * @param template pod template; free-form, not used locally
 */
public record DaemonSpec(
        int replicas, Optional<Integer> min, Optional<Integer> max, int standbys, Map<String, Object> template) {
    public static final int DEFAULT_REPLICAS = 4;
    private static final int LIMIT = 10_000;

    /** The most daemons that the job may come to have, standbys included. */
    public int most() {
        return Math.max(replicas, max.orElse(replicas)) + standbys;
    }

    static DaemonSpec read(Fields in) {
        int replicas = in.integer("replicas", 1, LIMIT).orElse(DEFAULT_REPLICAS);
        Optional<Integer> min = in.integer("min", 1, LIMIT);
        Optional<Integer> max = in.integer("max", 1, LIMIT);
        if (min.isPresent() && min.get() > replicas) {
            in.fault("min", "is " + min.get() + ", above replicas, which is " + replicas + "; lower it");
        }
        if (max.isPresent() && max.get() < replicas) {
            in.fault("max", "is " + max.get() + ", below replicas, which is " + replicas + "; raise it");
        }
        return new DaemonSpec(
                replicas, min, max, in.integer("standbys", 0, LIMIT).orElse(0), in.free("template"));
    }
}
