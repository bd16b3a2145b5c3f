// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import dev.volary.protocol.config.BackupPolicy;
import dev.volary.protocol.config.DaemonConfig;
import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.config.RecoveryPolicy;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.model.Scheme;
import dev.volary.simulator.check.SimulatedJobReport;
import dev.volary.simulator.scenario.FailureModel;
import dev.volary.simulator.scenario.FaultPlan;
import dev.volary.simulator.scenario.InjectedFault;
import dev.volary.simulator.scenario.IterationCost;
import dev.volary.simulator.scenario.NetworkModel;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.SimulatedProblem;
import dev.volary.simulator.scenario.SimulationConfig;
import dev.volary.simulator.scenario.StorageModel;
import dev.volary.simulator.scenario.TimingModel;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Model;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A user's job, with its own problem at its own size and the time-outs of a real one, on workers that exist in virtual time
 * only. Blocks really compute, one after the other in one thread. Checkpoint stores are open from the start.
 *
 * @param name of the job
 * @param model its problem
 * @param decomposition its blocks
 * @param scheme when blocks take their halos
 * @param tree the verification tree says when a snapshot decides
 * @param tolerance relative
 * @param daemons that compute
 * @param standbys that start when all blocks iterate, one after the other
 * @param spawners that manage them; groups have at most {@value #GROUP} daemons, standbys included
 * @param failureDetection how they monitor each other
 * @param copies of each block
 * @param backupEvery iterations between two copies
 * @param deadline of the job
 * @param zones that workers are spread over in turn; 0 if there are none
 * @param network what happens to halos
 * @param control what happens to control messages
 * @param iteration how long one takes
 * @param slow how much slower the first daemon computes; 1 if it does not
 */
public record SimulatedJob(
        String name,
        Model model,
        Decomposition decomposition,
        Scheme scheme,
        boolean tree,
        double tolerance,
        int daemons,
        int standbys,
        int spawners,
        FailureDetectorConfig failureDetection,
        int copies,
        long backupEvery,
        Optional<Duration> deadline,
        int zones,
        NetworkModel network,
        NetworkModel control,
        IterationCost iteration,
        double slow) {
    /** The most daemons in a group. */
    public static final int GROUP = 32;

    private static final Duration FORMATION = Duration.ofSeconds(60);
    private static final Duration HELLO_WAIT = Duration.ofSeconds(5);

    /**
     * Runs the job to its end, to the first violation of an invariant, or until it may not go on. The same seed and failure model give
     * the same run.
     *
     * @param failureModel injects faults into its workers
     * @param goesOn asked now and then
     */
    public SimulatedJobReport run(long seed, FailureModel failureModel, BooleanSupplier goesOn) {
        return new Simulation(setup(failureModel), seed).runJob(goesOn);
    }

    /** This, with another number of iterations between two copies. */
    public SimulatedJob backedUpEvery(long iterations) {
        return new SimulatedJob(
                name,
                model,
                decomposition,
                scheme,
                tree,
                tolerance,
                daemons,
                standbys,
                spawners,
                failureDetection,
                copies,
                iterations,
                deadline,
                zones,
                network,
                control,
                iteration,
                slow);
    }

    /** How long an iteration of a block takes when nothing disturbs it, in the mean over all blocks. */
    public Duration meanIteration() {
        TimingModel timing = TimingModel.real(iteration, failureDetection.timeout());
        return Duration.ofNanos((long) decomposition.parts().stream()
                .mapToDouble(part -> timing.iteration(part.work()))
                .average()
                .orElseThrow());
    }

    private SimulationConfig setup(FailureModel failureModel) {
        SimulatedProblem problem = SimulatedProblem.of(model, decomposition);
        Scenario scenario = new Scenario(
                name,
                0,
                decomposition.blocks(),
                daemons,
                spawners,
                GROUP,
                scheme,
                tree,
                tolerance,
                network,
                control,
                1,
                slow,
                false,
                InjectedFault.NONE,
                deadline,
                new FaultPlan(
                        FaultPlan.FaultKind.NONE,
                        0,
                        true,
                        copies > 0 ? FaultPlan.BackupHolders.ALL : FaultPlan.BackupHolders.NONE,
                        0,
                        Optional.empty()),
                problem.steps(),
                0,
                0,
                StorageModel.NONE,
                failureDetection.strategy(),
                false);
        RecoveryPolicy recovery =
                scheme == Scheme.SYNCHRONOUS ? RecoveryPolicy.STANDARD.allOrNothing() : RecoveryPolicy.STANDARD;
        SpawnerConfig job = SpawnerConfig.of(
                        daemons, spawners, tolerance * model.scale(), FORMATION, deadline, recovery)
                .withWatch(failureDetection);
        DaemonConfig daemon = DaemonConfig.of(scheme)
                .withHelloWait(HELLO_WAIT)
                .withBackups(copies == 0 ? BackupPolicy.NONE : new BackupPolicy(backupEvery, copies))
                .withWatch(failureDetection);
        return new SimulationConfig(
                scenario,
                problem,
                TimingModel.real(iteration, failureDetection.timeout()),
                tree ? job.withTreeDetector() : job,
                tree ? daemon.withTreeDetector() : daemon,
                failureModel,
                zones,
                standbys);
    }
}
