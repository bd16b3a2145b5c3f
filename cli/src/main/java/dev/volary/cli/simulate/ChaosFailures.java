// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.cli.chaos.ChaosMonkey;
import dev.volary.cli.chaos.ChaosMonkey.Act;
import dev.volary.cli.chaos.ChaosPlan;
import dev.volary.simulator.FailureModel;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** The perturbator of real runs strikes simulated workers. */
final class ChaosFailures implements FailureModel {
    private final ChaosMonkey perturbator;
    private final ChaosPlan plan;
    private final boolean silent;

    /**
     * @param silent whether hosts die with their processes
     */
    ChaosFailures(ChaosMonkey perturbator, ChaosPlan plan, boolean silent) {
        this.perturbator = perturbator;
        this.plan = plan;
        this.silent = silent;
    }

    @Override
    public List<Failure> due(long now, Collection<Candidate> alive) {
        perturbator.start(now);
        List<ChaosMonkey.Target> targets = alive.stream()
                .map(worker -> new ChaosMonkey.Target(worker.name(), worker.isSpawner(), worker.zone()))
                .toList();
        return perturbator.due(now, targets).stream().flatMap(this::blow).toList();
    }

    private Stream<Failure> blow(Act act) {
        return switch (act) {
            case Act.Strike(String worker, ChaosPlan.Kind manner) ->
                Stream.of(
                        switch (manner) {
                            case KILL -> new Failure.Crash(worker, silent);
                            case PAUSE -> new Failure.Pause(worker, plan.pause());
                            case LEAVE -> new Failure.Leave(worker);
                        });
            case Act.Resume resume -> Stream.empty(); // it was told for how long
        };
    }
}
