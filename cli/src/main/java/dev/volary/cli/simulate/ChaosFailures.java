// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.cli.chaos.ChaosMonkey;
import dev.volary.cli.chaos.ChaosMonkey.Act;
import dev.volary.cli.chaos.ChaosPlan;
import dev.volary.simulator.scenario.FailureModel;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Applies the fault injection of real runs to simulated workers. */
final class ChaosFailures implements FailureModel {
    private final ChaosMonkey monkey;
    private final ChaosPlan plan;
    private final boolean silent;

    /**
     * @param silent whether hosts fail with their processes
     */
    ChaosFailures(ChaosMonkey monkey, ChaosPlan plan, boolean silent) {
        this.monkey = monkey;
        this.plan = plan;
        this.silent = silent;
    }

    @Override
    public List<Failure> due(long now, Collection<Candidate> alive) {
        monkey.start(now);
        List<ChaosMonkey.Target> targets = alive.stream()
                .map(worker -> new ChaosMonkey.Target(worker.name(), worker.isSpawner(), worker.zone()))
                .toList();
        return monkey.due(now, targets).stream().flatMap(this::failure).toList();
    }

    private Stream<Failure> failure(Act act) {
        return switch (act) {
            case Act.Inject(String worker, ChaosPlan.Fault fault) ->
                Stream.of(
                        switch (fault) {
                            case KILL -> new Failure.Crash(worker, silent);
                            case PAUSE -> new Failure.Pause(worker, plan.pause());
                            case LEAVE -> new Failure.Leave(worker);
                        });
            case Act.Continue resume -> Stream.empty(); // the pause has its duration already
        };
    }
}
