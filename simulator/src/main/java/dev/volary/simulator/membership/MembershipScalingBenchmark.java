// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.config.MonitoringKind;
import dev.volary.simulator.scenario.NetworkModel;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Prints how the strategies fare as a job grows from 10 to 10 000 processes: groups of at most 32 with a ring of their owners,
 * or, for the centralised one, a single owner. Members crash silently, owners do not.
 */
public final class MembershipScalingBenchmark {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int CRASHES = 60;
    private static final int ZONES = 3;

    private MembershipScalingBenchmark() {}

    /** What one run measured; rates are per process and second. */
    record Row(
            MonitoringKind strategy,
            int processes,
            double sent,
            double mostSent,
            double mostReceived,
            double mean,
            double longest) {
        @Override
        public String toString() {
            return String.format(
                    "| %s | %d | %.2f | %.2f | %.1f | %.2f | %.2f |",
                    strategy, processes, sent, mostSent, mostReceived, mean, longest);
        }
    }

    /** The entry point. */
    @SuppressWarnings("SystemOut") // a command line program
    public static void main(String[] arguments) {
        System.out.println(
                "| strategy | processes | sent, mean | sent, most | received, most | detection, mean s | longest s |");
        for (FailureDetectorConfig config : List.of(
                FailureDetectorConfig.standard(),
                FailureDetectorConfig.ring(TIMEOUT),
                FailureDetectorConfig.phoenix(),
                FailureDetectorConfig.centralised(TIMEOUT))) {
            for (int processes : new int[] {10, 100, 1000, 10_000}) {
                System.out.println(row(config, processes, 1));
            }
        }
    }

    /** Rates are of a calm time, detection of silent crashes of single members. */
    static Row row(FailureDetectorConfig config, int processes, long seed) {
        Duration calm = Duration.ofSeconds(20);
        MembershipSimulation quiet = world(config, processes, seed);
        quiet.run(calm);
        double seconds = calm.toNanos() / 1e9;
        int runs = Math.max(1, Math.ceilDiv(CRASHES, Math.max(1, processes / 10)));
        List<Long> delays = IntStream.range(0, runs)
                .mapToObj(run -> crashes(config, processes, seed + run))
                .flatMap(List::stream)
                .toList();
        return new Row(
                config.strategy(),
                processes,
                quiet.processes.stream()
                        .mapToDouble(p -> p.sent / seconds)
                        .average()
                        .orElse(0),
                quiet.processes.stream()
                        .mapToDouble(p -> p.sent / seconds)
                        .max()
                        .orElse(0),
                quiet.processes.stream()
                        .mapToDouble(p -> p.received / seconds)
                        .max()
                        .orElse(0),
                delays.stream().mapToDouble(d -> d / 1e9).average().orElse(Double.NaN),
                delays.stream().mapToDouble(d -> d / 1e9).max().orElse(Double.NaN));
    }

    private static List<Long> crashes(FailureDetectorConfig config, int processes, long seed) {
        MembershipSimulation simulation = world(config, processes, seed);
        List<SimulatedProcess> mortal = simulation.processes.stream()
                .filter(process -> process.memberships.stream().noneMatch(member -> member.group.owner() == member))
                .toList();
        int dead = Math.min(CRASHES, Math.max(1, processes / 10));
        for (int i = 0; i < dead; i++) {
            SimulatedProcess process = mortal.get((int) ((long) i * mortal.size() / dead));
            simulation.at(
                    Duration.ofMillis(8000 + simulation.random.nextInt(6000)), () -> simulation.crash(process, true));
        }
        boolean slow = config.strategy() == MonitoringKind.RANDOM_MONITORS;
        simulation.run(Duration.ofSeconds(slow ? 32 : 18));
        return simulation.checker.delays();
    }

    private static MembershipSimulation world(FailureDetectorConfig config, int processes, long seed) {
        MembershipChecker checker = new MembershipChecker(Duration.ofDays(1), false);
        MembershipSimulation simulation = new MembershipSimulation(config, NetworkModel.NONE, checker, seed);
        if (config.strategy() == MonitoringKind.CENTRALISED) {
            simulation.group(processes, ZONES);
        } else {
            simulation.groups(processes, ZONES);
        }
        return simulation;
    }
}
