// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.halo.HaloOrder;
import dev.volary.protocol.halo.LockStepHalos;
import dev.volary.protocol.halo.StepRelation;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.Scheme;
import dev.volary.solver.Edge;
import dev.volary.solver.HaloWriter;
import java.time.Duration;
import java.util.TreeMap;

/** The halos that a simulated daemon sends and takes. */
final class SimulatedHalos {
    /** How long a block in lock-step waits for a halo before it requests it again. */
    static final Duration RETRY = Duration.ofMillis(10);

    private final SimulatedDaemon daemon;
    /** Where blocks are, by block. */
    final TreeMap<Integer, BlockAssignment> routes = new TreeMap<>();

    SimulatedHalos(SimulatedDaemon daemon) {
        this.daemon = daemon;
    }

    /** A block is at this daemon from now on, and older incarnations of it are fenced. */
    void route(BlockAssignment entry) {
        routes.put(entry.block(), entry);
        for (SimulatedBlock block : daemon.blocks.values()) {
            int edge = block.edgeFrom(entry.block());
            if (edge >= 0) {
                block.orders[edge].raise(entry.incarnation());
            }
        }
    }

    /** Sends a block's halo to one reader. */
    void publish(int from, int to, long iteration) {
        SimulatedBlock block = daemon.served(from);
        if (isHealing(block)) {
            return;
        }
        send(block, to, iteration, block.core());
    }

    private static boolean isHealing(SimulatedBlock block) {
        return block.rounds.isPresent() && block.rounds.get().isHealing();
    }

    /** Sends the halos of a block to all its readers, unless it must heal first. */
    void publish(SimulatedBlock block) {
        if (isHealing(block)) {
            return;
        }
        double[] core = block.core();
        for (Edge edge : daemon.simulation.outgoing(block.id)) {
            send(block, edge.to(), block.iteration, core);
        }
    }

    /** Sends a halo of this or the previous iteration again, which its reader has not received. */
    void publishAgain(DaemonAction.ResendHalo again) {
        SimulatedBlock block = daemon.blocks.get(again.from());
        if (block != null
                && again.step() == block.step()
                && again.iteration() <= block.iteration
                && again.iteration() >= block.iteration - 1) {
            double[] kept = block.kept[LockStepHalos.slot(again.iteration())];
            if (kept != null) {
                send(block, again.to(), again.iteration(), kept);
            }
        }
    }

    private void send(SimulatedBlock block, int to, long iteration, double[] core) {
        Halo halo = new Halo(
                block.id,
                to,
                new BlockVersion(block.incarnation, block.step(), iteration),
                values(block, to, core),
                daemon.member.id(),
                false,
                block.period.phase());
        if (block.rounds.isPresent()) {
            daemon.simulation.checker.rounds().sent(block, halo, daemon.now());
        }
        if (daemon.blocks.containsKey(to)) {
            arrived(halo);
        } else if (routes.containsKey(to)) {
            daemon.simulation.statistics.sentHalo();
            daemon.simulation.halo(routes.get(to).daemon().id(), halo);
        }
    }

    private double[] values(SimulatedBlock block, int to, double[] core) {
        double[] values = daemon.simulation.edgeValues(block.id, to, core);
        for (Edge edge : daemon.simulation.outgoing(block.id)) {
            if (edge.to() == to && edge.extra() > 0 && block.block instanceof HaloWriter writer) {
                double[] whole = new double[edge.haloSize()];
                writer.writeHalo(edge, whole);
                System.arraycopy(values, 0, whole, 0, values.length);
                return whole;
            }
        }
        return values;
    }

    /** A halo comes from the network, or from a block next door. */
    void arrived(Halo halo) {
        SimulatedBlock block = daemon.blocks.get(halo.to());
        if (daemon.stopped || block == null) {
            return;
        }
        int edge = block.edgeFrom(halo.from());
        HaloOrder.Verdict verdict = block.orders[edge].offer(halo.key());
        if (verdict == HaloOrder.Verdict.FENCED) {
            daemon.handle(new DaemonEvent.StaleHaloArrived(
                    halo.from(), halo.key().incarnation(), block.orders[edge].newest(), halo.sender()));
            return;
        }
        if (verdict == HaloOrder.Verdict.OLD && daemon.simulation.scenario.scheme() != Scheme.SYNCHRONOUS) {
            return;
        }
        if (!take(block, edge, halo)) {
            return;
        }
        if (halo.stale() && routes.containsKey(halo.from())) {
            daemon.simulation.checker.violated(
                    "block " + halo.to() + " took data of an old incarnation of block " + halo.from());
        }
        if (!block.arrived[edge] && !daemon.blocks.containsKey(halo.from())) {
            block.arrived[edge] = true;
            daemon.handle(new DaemonEvent.HaloArrived(halo.from(), halo.to()));
        }
        daemon.iterations.wake(block);
    }

    /** Puts a halo that is not older than what is there into its slot; false if the block cannot read it, or not yet. */
    boolean take(SimulatedBlock block, int edge, Halo halo) {
        if (block.rounds.isPresent()) {
            block.rounds.get().arrived(edge, halo);
            return true;
        }
        switch (StepRelation.of(block.step(), halo.key().step())) {
            case BEHIND -> {
                return false;
            }
            case AHEAD -> {
                block.ahead[edge] = halo;
                return false;
            }
            case OWN -> daemon.simulation.checker.haloRead(block.id, block.step(), halo.from(), halo.key());
        }
        if (daemon.simulation.scenario.scheme() == Scheme.SYNCHRONOUS) {
            LockStepHalos.Verdict step = block.lockStep.offer(edge, halo.key().iteration());
            boolean sameEpoch = halo.key().incarnation().counter() == block.incarnation.counter();
            if (daemon.simulation.scenario.rollsBack() && !sameEpoch && step != LockStepHalos.Verdict.OLD) {
                daemon.simulation.checker.violated("block " + halo.to() + " of " + block.incarnation
                        + " took a halo of " + halo.key().incarnation());
            } else if (step == LockStepHalos.Verdict.EARLY) {
                daemon.simulation.checker.violated("block " + halo.from() + " is two iterations ahead of " + halo.to());
            }
            if (step != LockStepHalos.Verdict.TAKE) {
                return false;
            }
            block.slots[edge][LockStepHalos.slot(halo.key().iteration())] = halo.values();
        } else {
            block.newest[edge] = halo.values();
            block.sentIn[edge] = halo.phase();
        }
        return true;
    }
}
