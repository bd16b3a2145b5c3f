// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.cli.chaos.LifetimeModel;
import dev.volary.simulator.FailureModel;
import java.util.Collection;
import java.util.List;

/** Each daemon of a simulated job dies when its time is over. */
final class RandomLifetimes implements FailureModel {
    private final LifetimeModel lifeTimes;
    private final boolean silent;

    /**
     * @param silent whether hosts die with their processes
     */
    RandomLifetimes(LifetimeModel lifeTimes, boolean silent) {
        this.lifeTimes = lifeTimes;
        this.silent = silent;
    }

    @Override
    public List<Failure> due(long now, Collection<Candidate> alive) {
        List<String> daemons = alive.stream()
                .filter(worker -> !worker.isSpawner())
                .map(Candidate::name)
                .toList();
        return lifeTimes.over(now, daemons).stream()
                .<Failure>map(name -> new Failure.Crash(name, silent))
                .toList();
    }
}
