// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.cli.chaos.LifetimeModel;
import dev.volary.simulator.scenario.FailureModel;
import java.util.Collection;
import java.util.List;

/** Ends each daemon of a simulated job after a random lifetime. */
final class RandomLifetimes implements FailureModel {
    private final LifetimeModel lifetimes;
    private final boolean silent;

    /**
     * @param silent whether hosts fail with their processes
     */
    RandomLifetimes(LifetimeModel lifetimes, boolean silent) {
        this.lifetimes = lifetimes;
        this.silent = silent;
    }

    @Override
    public List<Failure> due(long now, Collection<Candidate> alive) {
        List<String> daemons = alive.stream()
                .filter(worker -> !worker.isSpawner())
                .map(Candidate::name)
                .toList();
        return lifetimes.over(now, daemons).stream()
                .<Failure>map(name -> new Failure.Crash(name, silent))
                .toList();
    }
}
