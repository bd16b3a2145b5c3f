// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.backup.BackupInterval;
import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.console.Units;
import dev.volary.cli.console.UsageException;
import dev.volary.job.description.JobDescriptionFactory;
import dev.volary.job.spec.ConvergenceSpec;
import dev.volary.job.spec.GroupBound;
import dev.volary.job.spec.JobSpec;
import dev.volary.mesh.job.ProtocolSettings;
import dev.volary.protocol.model.Scheme;
import dev.volary.simulator.SimulatedJob;
import dev.volary.simulator.scenario.IterationCost;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import dev.volary.solver.Subdomain;
import dev.volary.solver.TimeStepping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The simulation of a validated job.
 *
 * @param job the job that the simulator runs
 * @param notices differences from the manifest, one sentence each
 */
record SimulationPlan(SimulatedJob job, List<String> notices) {
    private static final int MAX_DAEMONS = 10_000;

    /** Estimated processor time of the update of one unknown. */
    private static final double UPDATE_NANOS = 1.5;

    /** Estimated processor time to send a halo. */
    private static final double HALO_NANOS = 800;

    /** Estimated processor time of everything else in an iteration. */
    private static final double ITERATION_NANOS = 1500;

    /** Copies of the vector in memory besides backups: in snapshots, the result and the invariant checker. */
    private static final int VECTORS = 6;

    /**
     * Plans the simulation of a job.
     *
     * @param daemons number of daemons; empty for the number in the manifest
     * @param zones number of failure domains; 0 for none
     * @throws UsageException if the problem cannot be decomposed into a block for each daemon
     */
    static SimulationPlan of(
            ValidatedJob checked, Optional<Integer> daemons, int zones, NetworkOptions network, Duration pace)
            throws UsageException {
        JobSpec spec = checked.spec();
        if (daemons.isPresent() && (daemons.get() < 1 || daemons.get() > MAX_DAEMONS)) {
            throw new UsageException("--daemons is " + daemons.get() + ", must be from 1 to " + MAX_DAEMONS);
        }
        int count = daemons.orElse(spec.daemons().replicas());
        List<String> notices = new ArrayList<>(daemons.isEmpty() ? checked.notices() : List.of());
        Decomposition decomposition = checked.decomposition();
        if (count > decomposition.blocks() && daemons.isPresent()) {
            notices.add("the problem is decomposed into " + count + " blocks instead of " + decomposition.blocks()
                    + ", one for each daemon");
            decomposition = decompose(checked.model(), count);
        }
        int workers = count + spec.daemons().standbys();
        int needed = GroupBound.fewest(workers);
        Integer given = spec.spawners().replicas();
        int spawners = given == null ? GroupBound.usual(workers) : Math.max(needed, given);
        if (given != null && given < spawners) {
            notices.add("spec.spawners.replicas is " + given + ", but one spawner manages at most " + GroupBound.DAEMONS
                    + " daemons; " + spawners + " are simulated");
        }
        SimulatedJob job = new SimulatedJob(
                checked.name(),
                checked.model(),
                decomposition,
                spec.scheme() == JobSpec.Scheme.Synchronous ? Scheme.SYNCHRONOUS : Scheme.ASYNCHRONOUS,
                spec.convergence().detector() == ConvergenceSpec.Detector.TreeVerification,
                checked.tolerance().relative(),
                count,
                spec.daemons().standbys(),
                spawners,
                ProtocolSettings.failureDetector(JobDescriptionFactory.failureDetection(spec.failureDetection(), 1)),
                spec.checkpoint().copies(),
                1,
                spec.activeDeadline(),
                zones,
                network.halos(),
                network.control(),
                IterationCost.atLeast(pace),
                1);
        return new SimulationPlan(
                job.backedUpEvery(spec.checkpoint().iterations().orElseGet(() -> defaultBackupInterval(job))), notices);
    }

    private static Decomposition decompose(Model model, int blocks) throws UsageException {
        try {
            return model.decompose(blocks);
        } catch (InvalidProblemException refused) {
            throw new UsageException("--daemons is " + blocks + ", with a block for each of them, but "
                    + refused.getMessage() + "; or refine the problem");
        }
    }

    /** The interval between backups in iterations, as workers choose it at the start. */
    private static long defaultBackupInterval(SimulatedJob job) {
        double bytes = (double) Double.BYTES
                * job.decomposition().unknowns().size()
                / job.decomposition().blocks();
        return new BackupInterval(
                        job.decomposition().blocks(),
                        0,
                        0,
                        bytes / BackupInterval.COPY_BYTES_PER_SECOND,
                        (long) bytes,
                        job.meanIteration().toNanos() / 1e9)
                .iterations();
    }

    /**
     * Rejects a simulation that exceeds memory or budget.
     *
     * @param runs number of runs at a time
     * @param budget processor time of each run
     */
    void requireAffordable(int runs, Duration budget) throws UsageException {
        double bytes = runs * bytes();
        long available = Runtime.getRuntime().maxMemory();
        if (bytes > available) {
            throw new UsageException("spec.problem needs about " + Units.bytes((long) bytes) + " for all its blocks"
                    + (runs > 1 ? " in " + runs + " runs at a time" : "") + ", but the simulation has "
                    + Units.bytes(available) + "; make the problem smaller, or use a machine with more memory");
        }
        Optional<Duration> time = predicted();
        if (time.isPresent() && time.get().compareTo(budget) > 0) {
            throw new UsageException("--budget is " + Units.time(budget) + ", but about "
                    + Units.time(time.get()) + " of computing are predicted for "
                    + Units.count(iterations().orElseThrow()) + " iterations of each of "
                    + job.decomposition().blocks()
                    + " blocks; raise --budget or spec.convergence.tolerance, or make the"
                    + " problem smaller");
        }
    }

    /** Predicted processor time of one run; empty if the number of iterations cannot be predicted. */
    Optional<Duration> predicted() {
        double each = 0;
        for (Subdomain part : job.decomposition().parts()) {
            each += ITERATION_NANOS
                    + UPDATE_NANOS * part.work()
                    + HALO_NANOS * job.decomposition().outgoing(part.id()).size();
        }
        double all = each;
        return iterations().map(number -> Duration.ofNanos((long) Math.min(Long.MAX_VALUE, number * all)));
    }

    private Optional<Double> iterations() {
        int steps = job.model().timeStepping().map(TimeStepping::steps).orElse(1);
        Optional<Preflight> preflight = job.model().preflight(job.decomposition());
        if (preflight.isEmpty()) {
            OptionalDouble each = job.model().predictedIterations(job.decomposition(), job.tolerance());
            return each.isPresent() ? Optional.of(steps * each.getAsDouble()) : Optional.empty();
        }
        return preflight
                .filter(known -> known.verdict() == Preflight.Verdict.CERTIFIED && known.lower() > 0)
                .map(known -> steps * Math.max(1, Math.log(job.tolerance()) / Math.log(known.lower())));
    }

    private double bytes() {
        double blocks = job.decomposition().parts().stream()
                .mapToDouble(Subdomain::bytes)
                .sum();
        int steps = job.model().timeStepping().map(TimeStepping::steps).orElse(0);
        double vector = (double) Double.BYTES * job.decomposition().unknowns().size();
        return blocks + vector * (VECTORS + job.copies() + steps);
    }
}
