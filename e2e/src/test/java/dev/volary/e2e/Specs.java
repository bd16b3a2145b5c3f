package dev.volary.e2e;

/** What the jobs of these tests ask for. Small requests: nodes of the test bed share two cores. */
final class Specs {
    private static final String CREW = """
            daemons:
              replicas: 4
              standbys: 1
              template: {spec: {containers: [{name: worker, resources: {requests: {cpu: 50m}, limits: {memory: 384Mi}}}]}}
            spawners:
              replicas: 2
              template: {spec: {containers: [{name: worker, resources: {requests: {cpu: 50m}, limits: {memory: 384Mi}}}]}}
            failureDetection: {timeout: 10s}
            podRetention: All
            chaos: {allowed: true}
            """;

    private Specs() {}

    /** Over in seconds. */
    static String small() {
        return CREW + """
                problem: {type: heat2d, parameters: {n: 64}}
                convergence: {tolerance: "1e-4"}
                """;
    }

    /** About a minute on two cores: some 11.5 · 2 n² / π² iterations of point Jacobi to five digits, of 0.2 to 0.4 ms. */
    static String minute() {
        return CREW + """
                problem: {type: heat2d, parameters: {n: 255, boundary: Series, method: PointJacobi}}
                convergence: {tolerance: "1e-5"}
                """;
    }
}
