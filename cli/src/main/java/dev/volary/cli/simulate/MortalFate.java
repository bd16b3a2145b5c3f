package dev.volary.cli.simulate;

import dev.volary.cli.chaos.LifeTimes;
import dev.volary.simulator.FailureModel;
import java.util.Collection;
import java.util.List;

/** Each daemon of a simulated job dies when its time is over. */
final class MortalFate implements FailureModel {
    private final LifeTimes lifeTimes;
    private final boolean silent;

    /**
     * @param silent whether hosts die with their processes
     */
    MortalFate(LifeTimes lifeTimes, boolean silent) {
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
