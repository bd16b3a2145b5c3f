// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.scenario;

import dev.volary.protocol.config.MonitoringKind;
import dev.volary.protocol.model.Scheme;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A job and the simulation it runs in. The job solves {@link LaplaceModel}, or the same problem in rounds.
 *
 * @param name to be found by
 * @param side unknowns along each side of the grid
 * @param blocks blocks
 * @param daemons daemons
 * @param spawners spawners
 * @param groupBound most daemons in a group
 * @param scheme when halos are taken
 * @param tree the verification tree says when a snapshot decides
 * @param tolerance relative
 * @param data what happens to halos and recorded halos
 * @param control what happens to the frames of control links
 * @param burst only every so-many-th halo is sent at all
 * @param slow how much slower the first daemon computes
 * @param stale old incarnations' halos and wrongly labeled recorded halos are about
 * @param defect what is broken
 * @param deadline of the job
 * @param faultPlan what happens to workers
 * @param steps in time; 0 for the stationary problem
 * @param outputEvery the result has every time step whose number this divides; 0 for the last one only
 * @param spools spawners that hold each part and the result; 0 for a volume that outlives all workers
 * @param storage outside of the workers, which the result is brought to
 * @param monitoring the strategy by which members monitor each other
 * @param rounds blocks work in rounds: the job solves {@link TwoGridModel}
 */
public record Scenario(
        String name,
        int side,
        int blocks,
        int daemons,
        int spawners,
        int groupBound,
        Scheme scheme,
        boolean tree,
        double tolerance,
        NetworkModel data,
        NetworkModel control,
        int burst,
        double slow,
        boolean stale,
        InjectedFault defect,
        Optional<Duration> deadline,
        FaultPlan faultPlan,
        int steps,
        int outputEvery,
        int spools,
        StorageModel storage,
        MonitoringKind monitoring,
        boolean rounds) {

    /** Daemons that are to compute once all are there. */
    int wanted() {
        return faultPlan.kind() == FaultPlan.FaultKind.JOIN ? daemons + faultPlan.standbys() : daemons;
    }

    /** This, with other networks. */
    public Scenario network(NetworkModel newData, NetworkModel newControl) {
        return but(draft -> {
            draft.data = newData;
            draft.control = newControl;
        });
    }

    /** This, with halos only every {@code every} iterations. */
    public Scenario bursts(int every) {
        return but(draft -> draft.burst = every);
    }

    /** This, with a slow first daemon. */
    public Scenario slowed(double factor) {
        return but(draft -> draft.slow = factor);
    }

    /** This, with other numbers of workers. */
    public Scenario workers(int newBlocks, int newDaemons, int newSpawners, int newGroupBound) {
        return but(draft -> {
            draft.blocks = newBlocks;
            draft.daemons = newDaemons;
            draft.spawners = newSpawners;
            draft.groupBound = newGroupBound;
        });
    }

    /** This, with this number of time steps. */
    public Scenario timeSteps(int newSteps) {
        return but(draft -> draft.steps = newSteps);
    }

    /** This, where the result has every time step whose number {@code every} divides. */
    public Scenario outputEvery(int every) {
        return but(draft -> draft.outputEvery = every);
    }

    /** This, where parts and results lie in this many spawners, and are lost with the last of them. */
    public Scenario holders(int holders) {
        return but(draft -> draft.spools = holders);
    }

    /** This, where the result is brought to storage outside of the workers. */
    public Scenario published(StorageModel newStorage) {
        return but(draft -> draft.storage = newStorage);
    }

    /** This, with another way of failure detection. */
    public Scenario monitored(MonitoringKind newMonitoring) {
        return but(draft -> draft.monitoring = newMonitoring);
    }

    /** This, in rounds. */
    public Scenario inRounds() {
        return but(draft -> draft.rounds = true);
    }

    /** This, with stale messages about. */
    public Scenario withStale() {
        return but(draft -> draft.stale = true);
    }

    /** This, in another scheme. */
    public Scenario inScheme(Scheme newScheme) {
        return but(draft -> draft.scheme = newScheme);
    }

    /** Whether the problem has time steps. */
    public boolean hasTimeSteps() {
        return steps > 0;
    }

    /** Whether all blocks roll back to a checkpoint when one has lost its daemon. */
    public boolean rollsBack() {
        return scheme == Scheme.SYNCHRONOUS && steps == 0;
    }

    /** This, with the verification tree. */
    public Scenario withTreeDetector() {
        return but(draft -> draft.tree = true);
    }

    /** This, with another tolerance and deadline. */
    public Scenario within(double newTolerance, Optional<Duration> newDeadline) {
        return but(draft -> {
            draft.tolerance = newTolerance;
            draft.deadline = newDeadline;
        });
    }

    /** This, with more unknowns and another tolerance, so that it takes longer. */
    Scenario lasting(int newSide, double newTolerance) {
        return but(draft -> {
            draft.side = newSide;
            draft.tolerance = newTolerance;
        });
    }

    /** This, with a defect. */
    public Scenario broken(InjectedFault newDefect) {
        return but(draft -> draft.defect = newDefect);
    }

    /** This, where this happens to workers. */
    public Scenario with(FaultPlan newFaultPlan) {
        return but(draft -> draft.faultPlan = newFaultPlan);
    }

    private Scenario but(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.done();
    }

    /** A scenario that is being changed. */
    private static final class Draft {
        private String name;
        private int side;
        private int blocks;
        private int daemons;
        private int spawners;
        private int groupBound;
        private Scheme scheme;
        private boolean tree;
        private double tolerance;
        private NetworkModel data;
        private NetworkModel control;
        private int burst;
        private double slow;
        private boolean stale;
        private InjectedFault defect;
        private Optional<Duration> deadline;
        private FaultPlan faultPlan;
        private int steps;
        private int outputEvery;
        private int spools;
        private StorageModel storage;
        private MonitoringKind monitoring;
        private boolean rounds;

        private Draft(Scenario from) {
            name = from.name;
            side = from.side;
            blocks = from.blocks;
            daemons = from.daemons;
            spawners = from.spawners;
            groupBound = from.groupBound;
            scheme = from.scheme;
            tree = from.tree;
            tolerance = from.tolerance;
            data = from.data;
            control = from.control;
            burst = from.burst;
            slow = from.slow;
            stale = from.stale;
            defect = from.defect;
            deadline = from.deadline;
            faultPlan = from.faultPlan;
            steps = from.steps;
            outputEvery = from.outputEvery;
            spools = from.spools;
            storage = from.storage;
            monitoring = from.monitoring;
            rounds = from.rounds;
        }

        private Scenario done() {
            return new Scenario(
                    name,
                    side,
                    blocks,
                    daemons,
                    spawners,
                    groupBound,
                    scheme,
                    tree,
                    tolerance,
                    data,
                    control,
                    burst,
                    slow,
                    stale,
                    defect,
                    deadline,
                    faultPlan,
                    steps,
                    outputEvery,
                    spools,
                    storage,
                    monitoring,
                    rounds);
        }
    }
}
