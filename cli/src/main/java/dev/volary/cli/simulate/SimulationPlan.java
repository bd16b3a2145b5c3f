// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.backup.BackupInterval;
import dev.volary.cli.Units;
import dev.volary.cli.UsageException;
import dev.volary.cli.check.ValidatedJob;
import dev.volary.job.description.JobDescriptionFactory;
import dev.volary.job.spec.ConvergenceSpec;
import dev.volary.job.spec.GroupBound;
import dev.volary.job.spec.JobSpec;
import dev.volary.mesh.job.ProtocolSettings;
import dev.volary.protocol.Scheme;
import dev.volary.simulator.SimulatedJob;
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

/**
 * A checked manifest as the simulator runs it.
 *
 * @param job what it runs
 * @param notices where it differs from the manifest, a sentence each
 */
record SimulationPlan(SimulatedJob job, List<String> notices) {
    private static final int MOST_DAEMONS = 10_000;

    /** Processor time, in nanoseconds: of an update, of a halo on its way, of everything else in an iteration. */
    private static final double UPDATE = 1.5;

    private static final double HALO = 800;
    private static final double ITERATION = 1500;

    /** Copies of the unknowns that are about: backups apart, in records, the result sink and the judge. */
    private static final int VECTORS = 6;

    /**
     * Fits a manifest to the simulator.
     *
     * @param daemons instead of the manifest's; none to keep them
     * @param zones that workers are dealt out over; 0 for none
     * @throws UsageException if the problem cannot be cut into a block for each daemon
     */
    static SimulationPlan of(
            ValidatedJob checked, Optional<Integer> daemons, int zones, NetworkOptions network, Duration pace)
            throws UsageException {
        JobSpec spec = checked.spec();
        if (daemons.isPresent() && (daemons.get() < 1 || daemons.get() > MOST_DAEMONS)) {
            throw new UsageException("--daemons is " + daemons.get() + ", must be from 1 to " + MOST_DAEMONS);
        }
        int count = daemons.orElse(spec.daemons().replicas());
        List<String> notices = new ArrayList<>(daemons.isEmpty() ? checked.notices() : List.of());
        Decomposition cut = checked.decomposition();
        if (count > cut.blocks() && daemons.isPresent()) {
            notices.add("the problem is cut into " + count + " blocks instead of " + cut.blocks()
                    + ", one for each daemon");
            cut = cut(checked.model(), count);
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
                cut,
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
                pace);
        return new SimulationPlan(
                job.backedUpEvery(spec.checkpoint().iterations().orElseGet(() -> automatic(job))), notices);
    }

    private static Decomposition cut(Model model, int blocks) throws UsageException {
        try {
            return model.decompose(blocks);
        } catch (InvalidProblemException refused) {
            throw new UsageException("--daemons is " + blocks + ", with a block for each of them, but "
                    + refused.getMessage() + "; or refine the problem");
        }
    }

    /** What workers would begin with. */
    private static long automatic(SimulatedJob job) {
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
     * Refuses what cannot be computed here in one process.
     *
     * @param runs at a time
     * @param budget of processor time for each of them
     */
    void affordable(int runs, Duration budget) throws UsageException {
        double bytes = runs * bytes();
        long there = Runtime.getRuntime().maxMemory();
        if (bytes > there) {
            throw new UsageException("spec.problem needs about " + Units.bytes((long) bytes) + " for all its blocks"
                    + (runs > 1 ? " in " + runs + " runs at a time" : "") + ", but the simulation has "
                    + Units.bytes(there) + "; make the problem smaller, or simulate it where there is more memory");
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

    /** Processor time that one run will take, if the problem can tell about how many iterations it needs. */
    Optional<Duration> predicted() {
        double each = 0;
        for (Subdomain part : job.decomposition().parts()) {
            each += ITERATION
                    + UPDATE * part.work()
                    + HALO * job.decomposition().outgoing(part.id()).size();
        }
        double all = each;
        return iterations().map(number -> Duration.ofNanos((long) Math.min(Long.MAX_VALUE, number * all)));
    }

    private Optional<Double> iterations() {
        int steps = job.model().timeStepping().map(TimeStepping::steps).orElse(1);
        return job.model()
                .preflight(job.decomposition())
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
