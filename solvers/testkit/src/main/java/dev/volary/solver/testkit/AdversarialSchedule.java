// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.HaloWriter;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.solver.SteppedBlock;
import dev.volary.solver.TimeStepping;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A seeded asynchronous run in one thread that is as hostile as the convergence theory allows
 * (docs/explanation/asynchronous-iteration.md, "the model"): blocks run at different speeds and in bursts, links fall silent,
 * messages are lost, late and out of order, and blocks are restarted from old values of their own. Delays are bounded and every
 * link delivers again and again, so a contracting iteration must converge.
 */
public final class AdversarialSchedule {
    /** How many published halos of a link may still arrive. */
    private static final int HISTORY = 8;
    /** Iterations of the reader after which the newest halo arrives for certain. */
    private static final int LONGEST_SILENCE = 40;

    private static final int LONGEST_BURST = 12;
    private static final int BACKUP_EVERY = 10;
    private static final int BACKUPS = 3;
    /** Of a model with time steps. */
    private static final int MOST_STEPS = 3;

    private static final double RESTART = 0.002;
    private static final double SILENCE = 0.01;
    private static final double LOST = 0.3;
    private static final double NEWEST = 0.5;

    private final Model model;
    private final InProcessSolver ensemble;
    private final Decomposition decomposition;
    private final SplittableRandom random;
    private final Runner[] runners;
    private int restarts;

    /** One block with its links and backups. */
    private static final class Runner {
        private final int id;
        private Block block;
        private final HaloBuffers halos;
        private final double[] core;
        private final List<Link> links = new ArrayList<>();
        private final Deque<Backup> backups = new ArrayDeque<>();
        private long iterations;

        Runner(int id, Block block, HaloBuffers halos, int coreSize) {
            this.id = id;
            this.block = block;
            this.halos = halos;
            this.core = new double[coreSize];
        }
    }

    /** The newest published values of an edge, newest first, and how long the reader has not received the newest. */
    private static final class Link {
        private final int from;
        private final int[] source;
        private final Deque<double[]> published = new ArrayDeque<>();
        private int missed;
        private int silentFor;

        Link(int from, int[] source) {
            this.from = from;
            this.source = source;
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // a plain carrier; backups are never compared
    private record Backup(double[] core, HaloBuffers halos, byte[] saved) {}

    private AdversarialSchedule(Model model, int blocks, long seed) throws InvalidProblemException {
        this.model = model;
        this.ensemble = InProcessSolver.open(model, blocks);
        this.decomposition = ensemble.decomposition();
        this.random = new SplittableRandom(seed);
        this.runners = new Runner[blocks];
        for (int b = 0; b < blocks; b++) {
            int size = decomposition.parts().get(b).core().size();
            runners[b] = new Runner(b, ensemble.block(b), ensemble.halos(b).copy(), size);
            for (Edge edge : decomposition.incoming(b)) {
                runners[b].links.add(new Link(edge.from(), ensemble.positions().inSource(edge)));
            }
        }
        for (Runner runner : runners) {
            publish(runner);
        }
    }

    /**
     * Runs the blocks of {@code model} until the residual of the current vector is within {@code tolerance · scale}; if the
     * model has time steps, through its first steps, each committed by all blocks at once.
     *
     * @param seed decides everything; the same seed gives the same run
     * @param maxIterations of all blocks together, in each step
     * @return the iterations of all blocks together
     * @throws AssertionError if the tolerance is not reached, or a value is not finite
     */
    public static long run(Model model, int blocks, long seed, double tolerance, long maxIterations)
            throws InvalidProblemException {
        AdversarialSchedule schedule = new AdversarialSchedule(model, blocks, seed);
        int steps = Math.min(
                MOST_STEPS, model.timeStepping().map(TimeStepping::steps).orElse(1));
        long iterations = schedule.converge(seed, tolerance, maxIterations);
        for (int step = 2; step <= steps; step++) {
            schedule.commit();
            iterations += schedule.converge(seed, tolerance, maxIterations);
        }
        return iterations;
    }

    /** All blocks take the vector over; what is still on its way, and every backup, belongs to the old step. */
    private void commit() {
        double[] certified = vector();
        ensemble.commit(certified);
        for (Runner runner : runners) {
            HaloBuffers halos = ensemble.positions().halos(certified, runner.id);
            if (!runner.block.equals(ensemble.block(runner.id)) && runner.block instanceof SteppedBlock restarted) {
                restarted.commit(ensemble.positions().core(certified, runner.id), halos);
            }
            for (int k = 0; k < halos.size(); k++) {
                runner.halos.put(k, halos.values(k));
            }
            runner.links.forEach(link -> link.published.clear());
            runner.backups.clear();
        }
        for (Runner runner : runners) {
            publish(runner);
        }
    }

    private long converge(long seed, double tolerance, long maxIterations) {
        double target = tolerance * model.scale();
        long iterations = 0;
        long nextLook = 0;
        Residual residual = ensemble.residual(vector());
        double first = residual.bound();
        while (residual.bound() > target) {
            if (iterations >= maxIterations) {
                throw new AssertionError("seed " + seed + ", " + runners.length + " blocks: the residual was " + first
                        + " and is still " + residual.bound() + " after " + iterations + " iterations and " + restarts
                        + " restarts, not " + target + " (relative tolerance " + tolerance
                        + "): the blocks do not converge with delayed, lost and repeated halos");
            }
            Runner runner = runners[random.nextInt(runners.length)];
            int burst = random.nextInt(4) == 0 ? 1 + random.nextInt(LONGEST_BURST) : 1;
            for (int i = 0; i < burst; i++) {
                iterate(runner, seed);
                iterations++;
            }
            if (iterations >= nextLook) {
                residual = ensemble.residual(vector());
                nextLook = iterations + 20L * runners.length;
            }
        }
        return iterations;
    }

    private void iterate(Runner runner, long seed) {
        if (random.nextDouble() < RESTART && !runner.backups.isEmpty()) {
            restart(runner);
        }
        for (int k = 0; k < runner.links.size(); k++) {
            receive(runner.links.get(k), k, runner.halos);
        }
        double hint = runner.block.iterate(runner.halos);
        runner.halos.read();
        runner.block.copyCore(runner.core);
        for (double value : runner.core) {
            if (!Double.isFinite(value)) {
                throw new AssertionError("seed " + seed + ": block " + runner.id + " holds " + value
                        + " after iteration " + runner.iterations + " of a run whose halos were all finite");
            }
        }
        if (!Double.isFinite(hint)) {
            throw new AssertionError("seed " + seed + ": block " + runner.id + " returned the hint " + hint
                    + " although all its values are finite; the runtime would end the job");
        }
        runner.iterations++;
        publish(runner);
        if (runner.iterations % BACKUP_EVERY == 0) {
            runner.backups.addFirst(
                    new Backup(runner.core.clone(), runner.halos.copy(), StateChecks.save(runner.block)));
            while (runner.backups.size() > BACKUPS) {
                runner.backups.removeLast();
            }
        }
    }

    private void receive(Link link, int k, HaloBuffers halos) {
        if (link.published.isEmpty()) {
            return;
        }
        link.missed++;
        if (link.missed >= LONGEST_SILENCE) {
            link.silentFor = 0;
        } else if (link.silentFor == 0 && random.nextDouble() < SILENCE) {
            link.silentFor = random.nextInt(LONGEST_SILENCE);
        }
        if (link.silentFor > 0) {
            link.silentFor--;
            return;
        }
        double luck = random.nextDouble();
        if (link.missed >= LONGEST_SILENCE || luck < NEWEST) {
            halos.put(k, link.published.getFirst());
            link.missed = 0;
        } else if (luck < 1 - LOST) {
            int age = random.nextInt(link.published.size());
            halos.put(k, link.published.stream().skip(age).findFirst().orElseThrow());
        }
    }

    private void publish(Runner source) {
        source.block.copyCore(source.core);
        for (Edge edge : decomposition.outgoing(source.id)) {
            for (Link link : runners[edge.to()].links) {
                if (link.from == source.id) {
                    double[] values =
                            link.published.size() < HISTORY ? new double[edge.haloSize()] : link.published.removeLast();
                    if (edge.extra() > 0 && source.block instanceof HaloWriter writer) {
                        writer.writeHalo(edge, values);
                    } else {
                        for (int i = 0; i < link.source.length; i++) {
                            values[i] = source.core[link.source[i]];
                        }
                    }
                    link.published.addFirst(values);
                }
            }
        }
    }

    private void restart(Runner runner) {
        Backup backup = runner.backups.stream()
                .skip(random.nextInt(runner.backups.size()))
                .findFirst()
                .orElseThrow();
        runner.block = reopen(runner.id);
        StateChecks.restore(runner.block, backup.core.clone(), backup.halos.copy(), backup.saved);
        restarts++;
    }

    private Block reopen(int id) {
        try {
            return model.block(decomposition, id, Resources.SINGLE);
        } catch (InvalidProblemException e) {
            throw new AssertionError("block " + id + " opened once, but not again", e);
        }
    }

    private double[] vector() {
        double[] vector = new double[ensemble.positions().unknowns()];
        for (Runner runner : runners) {
            runner.block.copyCore(runner.core);
            ensemble.positions().place(runner.core, runner.id, vector);
        }
        return vector;
    }
}
