package dev.volary.cli.simulate;

import dev.volary.cli.chaos.LifeTimes;
import dev.volary.simulator.Fate;
import java.util.Collection;
import java.util.List;

/** Each daemon of a simulated job dies when its time is over. */
final class MortalFate implements Fate {
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
    public List<Blow> due(long now, Collection<Mortal> alive) {
        List<String> daemons = alive.stream()
                .filter(worker -> !worker.isSpawner())
                .map(Mortal::name)
                .toList();
        return lifeTimes.over(now, daemons).stream()
                .<Blow>map(name -> new Blow.Death(name, silent))
                .toList();
    }
}
