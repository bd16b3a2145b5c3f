package dev.volary.cli.simulate;

import dev.volary.cli.chaos.ChaosPlan;
import dev.volary.cli.chaos.Perturbator;
import dev.volary.cli.chaos.Perturbator.Act;
import dev.volary.simulator.FailureModel;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** The perturbator of real runs strikes simulated workers. */
final class PerturbedFate implements FailureModel {
    private final Perturbator perturbator;
    private final ChaosPlan plan;
    private final boolean silent;

    /**
     * @param silent whether hosts die with their processes
     */
    PerturbedFate(Perturbator perturbator, ChaosPlan plan, boolean silent) {
        this.perturbator = perturbator;
        this.plan = plan;
        this.silent = silent;
    }

    @Override
    public List<Failure> due(long now, Collection<Candidate> alive) {
        perturbator.start(now);
        List<Perturbator.Target> targets = alive.stream()
                .map(worker -> new Perturbator.Target(worker.name(), worker.isSpawner(), worker.zone()))
                .toList();
        return perturbator.due(now, targets).stream().flatMap(this::blow).toList();
    }

    private Stream<Failure> blow(Act act) {
        return switch (act) {
            case Act.Strike(String worker, ChaosPlan.Manner manner) ->
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
