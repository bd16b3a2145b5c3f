// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

/** What the jobs of these tests ask for. Small requests: nodes of the test bed share two cores. */
final class Specs {
    /** One for each daemon that computes. */
    static final int BLOCKS = 4;

    /** Others that keep a block's backups, one after the other: the default. */
    static final int COPIES = 2;

    /** Pods of a job: daemons, a standby, spawners. */
    static final int ALL_WORKERS = 7;

    /** Pods of a job of {@link #few}. */
    static final int FEW_WORKERS = 4;

    /** Workers say what they do, and when, if the tests are asked for that. */
    private static final String TRACE =
            System.getenv("VOLARY_TRACE") == null ? "" : "env: [{name: VOLARY_TRACE, value: '1'}], ";

    private static final String WORKERS = """
            daemons:
              replicas: 4
              standbys: 1
              template: {spec: {containers: [{name: worker, TRACEresources: {requests: {cpu: 50m}, limits: {memory: 384Mi}}}]}}
            spawners:
              replicas: 2
              template: {spec: {containers: [{name: worker, TRACEresources: {requests: {cpu: 50m}, limits: {memory: 384Mi}}}]}}
            failureDetection: {timeout: 10s}
            podRetention: All
            chaos: {allowed: true}
            """.replace("TRACE", TRACE);

    private Specs() {}

    /**
     * Two daemons and two spawners.
     *
     * @param memory limit of each, as Kubernetes writes it
     */
    static String pairs(String memory) {
        String pair = """
                %s:
                  replicas: 2
                  template: {spec: {containers: [{name: worker, resources: {requests: {cpu: 50m}, limits: {memory: %s}}}]}}
                """;
        return pair.formatted("daemons", memory) + pair.formatted("spawners", memory);
    }

    /** The same job with two daemons and no standby, where no worker is lost: seven JVMs take two cores 20 s to start. */
    static String few(String spec) {
        return spec.replace("replicas: 4", "replicas: 2").replace("standbys: 1", "standbys: 0");
    }

    /** Workers of another image. */
    static String withImage(String image) {
        return small().replace("name: worker,", "name: worker, image: \"" + image + "\",");
    }

    /** Over in seconds, and another problem than that of {@link #small}. */
    static String obstacle() {
        return WORKERS + """
                problem: {type: obstacle3d, parameters: {points: 15, data: Membrane}}
                convergence: {tolerance: "1e-5"}
                """;
    }

    /** Over in seconds. */
    static String small() {
        return WORKERS + """
                problem: {type: heat2d, parameters: {points: 64}}
                convergence: {tolerance: "1e-4"}
                """;
    }

    /**
     * Long enough for some losses in a row, on a fast machine as on a slow one, and idle enough for others to start beside it.
     *
     * @param seconds from the first iteration to the last; point Jacobi was seen to take 1.1 n² iterations to five digits
     */
    static String lasting(int seconds) {
        return lasting(seconds, 63);
    }

    /** @param n interior points along each edge */
    static String lasting(int seconds, int n) {
        double iterations = 1.1 * n * n;
        return WORKERS.replace(
                        "allowed: true",
                        "allowed: true, pace: %dms".formatted(Math.round(1_000 * seconds / iterations)))
                + """
                problem: {type: heat2d, parameters: {points: %d, boundary: Series, method: PointJacobi, overlap: 0}}
                convergence: {tolerance: "1e-5"}
                """.formatted(n);
    }

    /** Computes for minutes, as fast as the machine lets it. */
    static String busy() {
        return WORKERS + """
                problem: {type: heat2d, parameters: {points: 511, boundary: Series, method: PointJacobi, overlap: 0}}
                convergence: {tolerance: "1e-7"}
                """;
    }

    /**
     * In time steps, each of some seconds: a block computes at most one iteration in 5 ms.
     *
     * @param points of the grid, in each direction: a step needs about as many iterations as the grid has points
     */
    static String timeSteps(int points, int steps) {
        return WORKERS.replace("allowed: true", "allowed: true, pace: 5ms") + """
                problem: {type: heat2d-implicit, parameters: {points: %d, steps: %d, method: PointJacobi}}
                convergence: {tolerance: "1e-6"}
                """.formatted(points, steps);
    }
}
