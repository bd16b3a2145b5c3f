// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import dev.volary.protocol.config.MonitoringKind;
import dev.volary.protocol.model.Scheme;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** No worker comes or goes: networks, slow nodes, detectors, and jobs that cannot end well. */
final class SteadyScenarios {
    /** A network that loses, repeats and delays a little. */
    static final NetworkModel ROUGH = faults(0.5, 0.05, 0.02, 0.02);

    private SteadyScenarios() {}

    /** Four daemons and two spawners compute six blocks on a perfect network. */
    static Scenario steady(String name) {
        return new Scenario(
                name,
                12,
                6,
                4,
                2,
                32,
                Scheme.ASYNCHRONOUS,
                false,
                1e-5,
                NetworkModel.NONE,
                NetworkModel.NONE,
                1,
                1,
                false,
                InjectedFault.NONE,
                Optional.empty(),
                FaultPlan.NONE,
                0,
                0,
                0,
                StorageModel.NONE,
                MonitoringKind.RING_WITH_CONFIRMATION,
                false);
    }

    /** A network with a latency of 0.2 ms, and these faults. */
    static NetworkModel faults(double jitterMillis, double loss, double duplication, double straggle) {
        return new NetworkModel(
                Duration.ofNanos(200_000), Duration.ofNanos((long) (jitterMillis * 1e6)), loss, duplication, straggle);
    }

    static List<Scenario> all() {
        NetworkModel lossy = faults(0.5, 0.2, 0, 0);
        NetworkModel wild = faults(2, 0.05, 0.1, 0.1);
        NetworkModel control = faults(1, 0.05, 0.05, 0.05);
        Optional<Duration> soon = Optional.of(Duration.ofMillis(500));
        return List.of(
                steady("calm"),
                steady("lossy").network(lossy, control),
                steady("bursts")
                        .network(faults(0.5, 0, 0, 0), NetworkModel.NONE)
                        .bursts(8),
                steady("reordered").network(wild, control).withStale(),
                steady("slow-node").slowed(5),
                steady("published").published(StorageModel.UNRELIABLE).holders(2),
                steady("several-groups").workers(8, 8, 3, 3).network(faults(0.5, 0.02, 0.02, 0.02), control),
                // Answers take longer than a retry: a daemon's repeated offers and the answers to them cross.
                steady("slow-start").workers(4, 4, 2, 32).network(faults(0.5, 0, 0, 0), faults(400, 0, 0, 0)),
                steady("several-blocks").workers(9, 2, 2, 32).network(lossy, NetworkModel.NONE),
                steady("stale").withStale(),
                steady("tree").withTreeDetector(),
                steady("tree-lossy").withTreeDetector().network(lossy, control),
                steady("tree-bursts")
                        .withTreeDetector()
                        .network(faults(0.5, 0, 0, 0), NetworkModel.NONE)
                        .bursts(8),
                steady("tree-groups-calm")
                        .withTreeDetector()
                        .workers(8, 8, 3, 3)
                        .network(faults(0.5, 0.02, 0.02, 0.02), control),
                steady("synchronous").inScheme(Scheme.SYNCHRONOUS),
                steady("synchronous-lossy")
                        .inScheme(Scheme.SYNCHRONOUS)
                        .network(faults(0.5, 0.05, 0.05, 0.05), control)
                        .slowed(2),
                steady("deadline").within(1e-13, Optional.of(Duration.ofMillis(300))),
                steady("nan").broken(InjectedFault.NAN_IN_ITERATION),
                steady("nan-residual").broken(InjectedFault.NAN_IN_RESIDUAL),
                steady("cannot-open").broken(InjectedFault.CANNOT_OPEN),
                steady("cannot-store").broken(InjectedFault.CANNOT_STORE).network(lossy, control),
                steady("stores-time-out")
                        .holders(2)
                        .broken(InjectedFault.STORES_TIME_OUT)
                        .network(lossy, control),
                steady("tree-stores-time-out").withTreeDetector().holders(2).broken(InjectedFault.STORES_TIME_OUT),
                steady("cannot-assemble").broken(InjectedFault.CANNOT_ASSEMBLE),
                steady("stuck-link")
                        .broken(InjectedFault.LINK_STUCK_FOR_A_WHILE)
                        .network(NetworkModel.NONE, control),
                steady("dead-link").broken(InjectedFault.LINK_STUCK_FOREVER).within(1e-5, soon),
                steady("deaf-edge").broken(InjectedFault.DEAF_EDGE).within(1e-5, Optional.of(Duration.ofMillis(1500))),
                steady("missing-daemon").broken(InjectedFault.DAEMON_MISSING));
    }
}
