// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a result says about itself: the attributes of the group {@code result.zarr}.
 *
 * @param job the job's name
 * @param problem the kind of problem
 * @param certified whether the residual is within the tolerance
 * @param certifiedResidual {@code ‖r‖ / scale} of exactly this vector
 * @param certifiedResidualAbsolute {@code ‖r‖} of exactly this vector
 * @param tolerance bound of {@code ‖r‖ / scale} that was asked for
 * @param snapshot the snapshot that evaluated it
 * @param step whose result it is, of a problem with time steps; else 0
 * @param steps of the whole job; 0 for a stationary problem
 * @param norm the norm of the residual: {@code maximum} or {@code sum}
 * @param iterations of a block on average when the vector was recorded, of a result that is not certified; else 0
 */
public record ResultAttributes(
        String job,
        String problem,
        boolean certified,
        double certifiedResidual,
        double certifiedResidualAbsolute,
        double tolerance,
        long snapshot,
        int step,
        int steps,
        String norm,
        long iterations) {
    /** The attribute that lists the time steps of a result that has several. */
    public static final String OUTPUT_STEPS = "output_steps";

    /** The attribute that lists the certified residual of each of them, relative. */
    public static final String OUTPUT_RESIDUALS = "output_residuals";

    /** The attribute that lists the snapshot of each of them. */
    public static final String OUTPUT_SNAPSHOTS = "output_snapshots";

    private static final String JOB = "job";
    private static final String PROBLEM = "problem";
    private static final String CERTIFIED = "certified";
    private static final String CERTIFIED_RESIDUAL = "certified_residual";
    private static final String CERTIFIED_RESIDUAL_ABSOLUTE = "certified_residual_absolute";
    private static final String TOLERANCE = "tolerance";
    private static final String SNAPSHOT = "snapshot";
    private static final String STEP = "step";
    private static final String STEPS = "steps";
    private static final String NORM = "residual_norm";
    private static final String ITERATIONS = "iterations";
    private static final String MAXIMUM = "maximum";

    /** Of a stationary problem, in the maximum norm. */
    public ResultAttributes(
            String job,
            String problem,
            boolean certified,
            double certifiedResidual,
            double certifiedResidualAbsolute,
            double tolerance,
            long snapshot) {
        this(
                job,
                problem,
                certified,
                certifiedResidual,
                certifiedResidualAbsolute,
                tolerance,
                snapshot,
                0,
                0,
                MAXIMUM,
                0);
    }

    /** As Zarr attributes. */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(JOB, job);
        map.put(PROBLEM, problem);
        map.put(CERTIFIED, certified);
        map.put(CERTIFIED_RESIDUAL, certifiedResidual);
        map.put(CERTIFIED_RESIDUAL_ABSOLUTE, certifiedResidualAbsolute);
        map.put(NORM, norm);
        map.put(TOLERANCE, tolerance);
        map.put(SNAPSHOT, snapshot);
        if (steps > 0) {
            map.put(STEP, step);
            map.put(STEPS, steps);
        }
        if (iterations > 0) {
            map.put(ITERATIONS, iterations);
        }
        return map;
    }

    /** From Zarr attributes; what is missing is an empty text, false, NaN or zero, and the
     * maximum norm. */
    public static ResultAttributes of(Map<String, Object> map) {
        return new ResultAttributes(
                String.valueOf(map.getOrDefault(JOB, "")),
                String.valueOf(map.getOrDefault(PROBLEM, "")),
                Boolean.TRUE.equals(map.get(CERTIFIED)),
                number(map, CERTIFIED_RESIDUAL, Double.NaN),
                number(map, CERTIFIED_RESIDUAL_ABSOLUTE, Double.NaN),
                number(map, TOLERANCE, Double.NaN),
                (long) number(map, SNAPSHOT, 0),
                (int) number(map, STEP, 0),
                (int) number(map, STEPS, 0),
                String.valueOf(map.getOrDefault(NORM, MAXIMUM)),
                (long) number(map, ITERATIONS, 0));
    }

    private static double number(Map<String, Object> map, String key, double otherwise) {
        return map.get(key) instanceof Number number ? number.doubleValue() : otherwise;
    }
}
